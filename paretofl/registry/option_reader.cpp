#include "paretofl/registry/option_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_range.h"
#include "paretofl/registry/registry.h"

namespace paretofl {
namespace {

struct KindOf {
  std::string operator()(bool) const { return "a boolean"; }
  std::string operator()(std::int64_t) const { return "an integer"; }
  std::string operator()(double) const { return "a real"; }
  std::string operator()(const std::string&) const { return "a text"; }
  std::string operator()(const std::vector<double>&) const { return "a list of numbers"; }
  std::string operator()(const std::vector<std::string>&) const { return "a list of texts"; }
};

template <class T>
const T& get(const Settings::Value& value, const std::string& name, std::string_view wanted) {
  const T* held = std::get_if<T>(&value);
  expect(held != nullptr, "config: expected {} for {}, found {} ({})", wanted, name, std::visit(KindOf{}, value), to_text(value));
  return *held;
}

void check_integer(const std::string& name, std::int64_t value, std::int64_t low, std::int64_t high) {
  expect(value >= low && value <= high, "config: expected {} {}, found {}", name,
         value > high ? fmt::format("{} to {}", low, high) : range_text(low, high), value);
}

void check_real(const std::string& name, double value, double low, double high) {
  expect(std::isfinite(value), "config: expected a finite number for {}, found {}", name, value);
  expect(value >= low && value <= high, "config: expected {} {}, found {}", name, range_text(low, high), value);
}

}  // namespace

OptionReader::OptionReader(const Settings& settings, std::string path) : settings_(settings), path_(std::move(path)) {}

std::string OptionReader::name_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const Settings::Value* OptionReader::find(std::string_view key) {
  known_.emplace_back(key);
  expect(!settings_.tables.contains(key), "config: expected a value for {}, found a table", name_of(key));
  const auto found = settings_.values.find(key);
  return found == settings_.values.end() ? nullptr : &found->second;
}

void OptionReader::boolean(std::string_view key, bool& field, std::string_view) {
  if (const auto* value = find(key)) field = get<bool>(*value, name_of(key), "a boolean");
  resolved_.values.insert_or_assign(std::string(key), field);
}

void OptionReader::integer(std::string_view key, std::int64_t& field, std::int64_t low, std::int64_t high, std::string_view) {
  if (const auto* value = find(key)) field = get<std::int64_t>(*value, name_of(key), "an integer");
  check_integer(name_of(key), field, low, high);
  resolved_.values.insert_or_assign(std::string(key), field);
}

void OptionReader::real(std::string_view key, double& field, double low, double high, std::string_view) {
  if (const auto* value = find(key)) {
    const auto* integer = std::get_if<std::int64_t>(value);
    field = integer != nullptr ? static_cast<double>(*integer) : get<double>(*value, name_of(key), "a real");
  }
  check_real(name_of(key), field, low, high);
  resolved_.values.insert_or_assign(std::string(key), field);
}

void OptionReader::text(std::string_view key, std::string& field, std::string_view) {
  if (const auto* value = find(key)) field = get<std::string>(*value, name_of(key), "a text");
  resolved_.values.insert_or_assign(std::string(key), field);
}

void OptionReader::choice(std::string_view key, std::string& field, const std::vector<std::string>& choices, std::string_view meaning) {
  text(key, field, meaning);
  expect(std::find(choices.begin(), choices.end(), field) != choices.end(), "config: expected {} to be one of {}; found '{}'", name_of(key),
         fmt::join(choices, ", "), field);
}

void OptionReader::reals(std::string_view key, std::vector<double>& field, double low, double high, std::string_view) {
  if (const auto* value = find(key)) {
    // TOML's empty list has no element type.
    const auto* texts = std::get_if<std::vector<std::string>>(value);
    const bool empty = texts != nullptr && texts->empty();
    field = empty ? std::vector<double>{} : get<std::vector<double>>(*value, name_of(key), "a list of numbers");
  }
  for (const double value : field) check_real(name_of(key), value, low, high);
  resolved_.values.insert_or_assign(std::string(key), field);
}

void OptionReader::texts(std::string_view key, std::vector<std::string>& field, std::string_view) {
  if (const auto* value = find(key)) field = get<std::vector<std::string>>(*value, name_of(key), "a list of texts");
  resolved_.values.insert_or_assign(std::string(key), field);
}

Settings OptionReader::read_component(const Settings& in, const std::string& key, const std::string& where, Component& field,
                                      const RegistryBase& registry, const std::vector<PartText>& texts) {
  if (const auto value = in.values.find(key); value != in.values.end()) {
    field = {get<std::string>(value->second, where, fmt::format("the {}'s name", registry.kind())), {}};
  } else if (const auto table = in.tables.find(key); table != in.tables.end()) {
    field.settings = table->second;
    if (const auto name = field.settings.values.find("name"); name != field.settings.values.end()) {
      field.name = get<std::string>(name->second, where + ".name", fmt::format("the {}'s name", registry.kind()));
      field.settings.values.erase(name);
    }
    for (const PartText& text : texts) {
      const auto found = field.settings.values.find(text.key);
      if (found == field.settings.values.end()) continue;
      field.texts[text.key] = get<std::string>(found->second, fmt::format("{}.{}", where, text.key), "a text");
      field.settings.values.erase(found);
    }
  }
  expect(!field.name.empty(), "config: expected the {}'s name in {}.name, found none", registry.kind(), where);
  OptionReader reader(field.settings, where);
  reader.known_.emplace_back("name");
  for (const PartText& text : texts) reader.known_.push_back(text.key);
  registry.entry(field.name).describe(reader);
  for (const PartText& text : texts) {
    expect(std::count(reader.known_.begin(), reader.known_.end(), text.key) == 1,
           "config: expected a {} without an option '{}', which stands for another text in {}, found {}", registry.kind(), text.key, where,
           field.name);
  }
  try {
    reader.finish();
  } catch (const Error& error) {
    const std::string message = error.what();
    // A key may come from a config that was written for another part.
    throw Error(message.ends_with('?') ? message : fmt::format("{}; the {} {} has no such option", message, registry.kind(), field.name));
  }
  Settings part = reader.resolved();
  part.values.insert_or_assign("name", field.name);
  for (const auto& [key, text] : field.texts) part.values.insert_or_assign(key, text);
  return part;
}

void OptionReader::component(std::string_view key, Component& field, const RegistryBase& registry, std::string_view) {
  known_.emplace_back(key);
  resolved_.tables.insert_or_assign(std::string(key), read_component(settings_, std::string(key), name_of(key), field, registry, {}));
}

void OptionReader::components_with_texts(std::string_view key, Components& field, const RegistryBase& registry, std::string_view,
                                         const std::vector<PartText>& texts) {
  known_.emplace_back(key);
  const std::string where = name_of(key);
  expect(settings_.values.find(key) == settings_.values.end(), "config: expected tables [{}.NAME], found a value", where);
  Settings named;
  if (const auto table = settings_.tables.find(key); table != settings_.tables.end()) {
    named = table->second;
    const Components defaults = std::exchange(field, {});
    const auto add = [&](const std::string& name) {
      const auto known = defaults.find(name);
      field.emplace(name, known == defaults.end() ? Component{} : known->second);
    };
    for (const auto& [name, value] : named.values) add(name);
    for (const auto& [name, value] : named.tables) add(name);
  }
  Settings& parts = resolved_.tables[std::string(key)];
  for (auto& [name, part] : field) {
    parts.tables.insert_or_assign(name, read_component(named, name, fmt::format("{}.{}", where, name), part, registry, texts));
  }
}

void OptionReader::group(std::string_view key, const std::function<void(OptionVisitor&)>& describe) {
  known_.emplace_back(key);
  expect(!settings_.values.contains(key), "config: expected a table {}, found a value", name_of(key));
  static const Settings kNone;
  const auto table = settings_.tables.find(key);
  OptionReader reader(table == settings_.tables.end() ? kNone : table->second, name_of(key));
  describe(reader);
  reader.finish();
  resolved_.tables.insert_or_assign(std::string(key), reader.resolved());
}

void OptionReader::finish() const {
  const auto check = [&](const std::string& key) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) return;
    if (known_.empty()) throw Error(fmt::format("config: expected no options, found {}", name_of(key)));
    const std::string near = nearest(key, known_);
    if (near.empty())
      throw Error(fmt::format("config: expected one of {}; found the unknown key {}", fmt::join(known_, ", "), name_of(key)));
    throw Error(fmt::format("config: expected a known key, found {}; did you mean {}?", name_of(key), name_of(near)));
  };
  for (const auto& [key, value] : settings_.values) check(key);
  for (const auto& [key, table] : settings_.tables) check(key);
}

}  // namespace paretofl
