#include "paretofl/runs/config.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"
#include "paretofl/runs/toml_depth.h"

namespace paretofl {
namespace {

[[noreturn]] void reject(const toml::node& node, const std::string& name, const std::string& key, std::string_view found) {
  throw Error(fmt::format("{}:{}: expected a boolean, number, text or a list of numbers or of texts for {}, found {}", name,
                          node.source().begin.line, key, found));
}

Settings::Value list_of(const toml::array& array, const std::string& name, const std::string& key) {
  if (array.empty()) return std::vector<std::string>{};
  if (array.front().is_string()) {
    std::vector<std::string> texts;
    for (const toml::node& item : array) {
      if (!item.is_string()) reject(array, name, key, "a mixed list");
      texts.push_back(item.as_string()->get());
    }
    return texts;
  }
  std::vector<double> numbers;
  for (const toml::node& item : array) {
    if (!item.is_number()) reject(array, name, key, "another kind of list");
    numbers.push_back(item.is_integer() ? static_cast<double>(item.as_integer()->get()) : item.as_floating_point()->get());
  }
  return numbers;
}

Settings::Value value_of(const toml::node& node, const std::string& name, const std::string& key) {
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* array = node.as_array()) return list_of(*array, name, key);
  reject(node, name, key, "a date or time");
}

Settings settings_of(const toml::table& table, const std::string& name) {
  Settings settings;
  for (const auto& [key, node] : table) {
    const std::string text(key.str());
    if (const auto* inner = node.as_table()) {
      settings.tables.emplace(text, settings_of(*inner, name));
    } else {
      settings.values.emplace(text, value_of(node, name, text));
    }
  }
  return settings;
}

/// Every text is parsed here.
toml::table parse_toml(std::string_view text, const std::string& name) {
  expect_shallow_toml(text, name);
  return toml::parse(text);
}

bool is_bare(const std::string& key) {
  return !key.empty() && key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
}

std::string key_text(const std::string& key) { return is_bare(key) ? key : to_text(Settings::Value(key)); }

void add_flat_texts(const Settings& settings, const std::string& prefix, Texts& texts) {
  for (const auto& [key, value] : settings.values) {
    const auto* text = std::get_if<std::string>(&value);
    texts[prefix + key] = text != nullptr ? *text : to_text(value);
  }
  for (const auto& [key, table] : settings.tables) add_flat_texts(table, prefix + key + ".", texts);
}

void write_table(const Settings& settings, const std::string& path, std::string& out) {
  if (!path.empty() && (!settings.values.empty() || settings.tables.empty())) out += fmt::format("\n[{}]\n", path);
  for (const auto& [key, value] : settings.values) out += fmt::format("{} = {}\n", key_text(key), to_text(value));
  for (const auto& [key, table] : settings.tables) write_table(table, path.empty() ? key_text(key) : path + "." + key_text(key), out);
}

}  // namespace

Settings parse_config(std::string_view text, const std::string& name) {
  try {
    return settings_of(parse_toml(text, name), name);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}:{}: expected TOML, found: {}", name, error.source().begin.line, error.source().begin.column,
                            error.description()));
  }
}

Settings load_config(const std::filesystem::path& path) {
  constexpr std::uint64_t kMaxConfig = std::uint64_t{1} << 24;
  const std::string text = read_file(path, kMaxConfig);
  expect(!text.empty(), "{}: expected a TOML file with settings, found an empty one", path.string());
  return parse_config(text, path.string());
}

Settings::Value parse_value(std::string_view text, const std::string& key) {
  try {
    const toml::table table = parse_toml(fmt::format("value = {}", text), "--set");
    if (table.size() == 1 && !table.begin()->second.is_table()) return value_of(table.begin()->second, "--set", key);
  } catch (const toml::parse_error&) {
    // Not TOML: a bare word.
  }
  try {
    const std::string quoted = to_text(Settings::Value(std::string(text)));
    return value_of(*parse_toml(fmt::format("value = {}", quoted), "--set").get("value"), "--set", key);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("--set: expected a TOML value or UTF-8 text, found: {}", error.description()));
  }
}

void apply_override(Settings& settings, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  expect(equals != std::string_view::npos && equals > 0, "--set: expected key=value, found '{}'", assignment);
  std::string_view path = assignment.substr(0, equals);
  expect(std::count(path.begin(), path.end(), '.') < static_cast<std::ptrdiff_t>(kMaxKeyParts),
         "--set: expected a key of at most {} parts, found more", kMaxKeyParts);
  Settings* table = &settings;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    const std::string key(path.substr(0, dot));
    path.remove_prefix(dot + 1);
    Settings& inner = table->tables[key];
    if (const auto named = table->values.find(key); named != table->values.end()) {
      inner.values.emplace("name", named->second);
      table->values.erase(named);
    }
    table = &inner;
  }
  const std::string key(path);
  expect(!key.empty(), "--set: expected key=value, found '{}'", assignment);
  const std::string full_key(assignment.substr(0, equals));
  if (const auto section = table->tables.find(key); table == &settings && section != table->tables.end()) {
    const Settings& held = section->second;
    expect(held.tables.empty() && held.values.size() == held.values.count("name"),
           "--set: expected {0}.KEY=VALUE, such as {0}.name={1}, found {0}={1}, which would drop all other settings of {0}", full_key,
           assignment.substr(equals + 1));
  }
  table->tables.erase(key);
  table->values.insert_or_assign(key, parse_value(assignment.substr(equals + 1), full_key));
}

void apply_overrides(Settings& settings, std::vector<std::string> assignments) {
  const auto depth = [](const std::string& assignment) {
    return std::count(assignment.begin(), std::find(assignment.begin(), assignment.end(), '='), '.');
  };
  std::stable_sort(assignments.begin(), assignments.end(), [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
  for (const std::string& assignment : assignments) apply_override(settings, assignment);
}

Texts flat_texts(const Settings& settings) {
  Texts texts;
  add_flat_texts(settings, "", texts);
  return texts;
}

std::string to_toml(const Settings& settings) {
  std::string text;
  write_table(settings, "", text);
  return text;
}

}  // namespace paretofl
