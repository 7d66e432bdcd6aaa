#include "apps/parse_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "paretofl/core/printable.h"
#include "paretofl/core/shell_word.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/registry/registry.h"
#include "paretofl/runs/run_config.h"

namespace paretofl {
namespace {

/// The subcommand that was given, or the command itself.
const CLI::App& chosen(const CLI::App& app) {
  const std::vector<CLI::App*> subcommands = app.get_subcommands();
  return subcommands.empty() ? app : *subcommands.front();
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) names.push_back(option->get_name());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> positional_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) names.push_back(option->get_name());
  }
  return names;
}

/// The key of a config that a word means, such as strategy.name by `strategy`.
std::optional<std::string> config_key(std::string word) {
  std::replace(word.begin(), word.end(), '-', '_');
  RunConfig config;
  OptionLister lister;
  config.describe(lister);
  const std::string section = word.substr(0, word.find('.') + 1);
  for (const OptionDoc& doc : lister.docs()) {
    const bool is_part = doc.type == doc.key;  // the registry's kind
    if (word == doc.key) return is_part ? word + ".name" : word;
    if (!section.empty() && (doc.key.starts_with(section) || doc.key + '.' == section)) return word;
  }
  return std::nullopt;
}

/// "; did you mean --set rounds=3?" where the first of the arguments that nobody expected, with its value, gives a key of the config.
std::string set_hint(const CLI::App& command, const std::vector<std::string>& extra) {
  const std::vector<std::string> options = option_names(command), positionals = positional_names(command);
  const bool takes_config = std::find(positionals.begin(), positionals.end(), "CONFIG") != positionals.end() &&
                            std::find(options.begin(), options.end(), "--set") != options.end();
  if (!takes_config) return "";
  std::string word = extra.front().substr(std::min(extra.front().find_first_not_of('-'), extra.front().size()));
  std::string value = "VALUE";
  if (const std::size_t equals = word.find('='); equals != std::string::npos) {
    value = word.substr(equals + 1);
    word.erase(equals);
  } else if (extra.size() > 1 && extra.front().starts_with("-") && !extra[1].starts_with("--")) {
    value = extra[1];
  } else if (!extra.front().starts_with("-")) {
    return "";
  }
  const std::optional<std::string> key = config_key(word);
  return key ? fmt::format("; did you mean --set {}?", printable(shell_word(*key + "=" + value))) : "";
}

std::string unexpected_text(const CLI::App& app, const CLI::App& command, const std::vector<std::string>& extra) {
  const std::string place = &command == &app ? "" : command.get_name() + ": ";
  const std::string hint = set_hint(command, extra);
  const std::string& word = extra.front();
  const std::string found = fmt::format("found '{}'", printable(word));
  if (!word.starts_with("-")) {
    const std::vector<std::string> names = positional_names(command);
    return fmt::format("{}expected {}, {} too{}", place, names.empty() ? "options alone" : fmt::format("{} alone", fmt::join(names, " ")),
                       found, hint);
  }
  const std::vector<std::string> names = option_names(command);
  const std::string near = hint.empty() ? nearest(word.substr(0, word.find('=')), names) : "";
  return fmt::format("{}expected one of {}; {}{}{}", place, fmt::join(names, ", "), found, hint,
                     near.empty() ? "" : "; did you mean " + near + "?");
}

/// The text before and after a part of a message.
std::optional<std::pair<std::string, std::string>> split_at(const std::string& text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(at + part.size()));
}

/// The messages of CLI11 in this project's form. Others stay as they are.
std::string rewritten(const CLI::App& command, const std::string& place, const std::string& message) {
  if (const auto missing = split_at(message, " is required"); missing && missing->second.empty()) {
    return fmt::format("{}expected {}, found none", place, missing->first);
  }
  if (const auto missing = split_at(message, ": 1 required "); missing && missing->second.ends_with(" missing")) {
    const std::string type = missing->second.substr(0, std::min(missing->second.find(':'), missing->second.find(" missing")));
    return fmt::format("{}expected {}, found {} without a value", place, missing->first + " " + type, missing->first);
  }
  if (const auto option = split_at(message, ": "); option && option->first.starts_with("--")) {
    if (const auto choice = split_at(option->second, " not in {"); choice && choice->second.ends_with("}")) {
      const std::string known = choice->second.substr(0, choice->second.size() - 1);
      return fmt::format("{}: expected one of {}, found '{}'", option->first, known, printable(choice->first));
    }
  }
  if (const auto option = split_at(message, ": Value ")) {
    if (const auto range = split_at(option->second, " not in range ")) {
      return fmt::format("{}: expected {}, found {}", option->first, range->second, printable(range->first));
    }
  }
  if (const auto all = split_at(message, "Could not convert: "); all && all->first.empty()) {
    if (const auto pair = split_at(all->second, " = ")) {
      const CLI::Option* option = command.get_option_no_throw(pair->first);
      const bool is_flag = option != nullptr && option->get_expected_max() == 0;
      return fmt::format("{}: expected {}, found '{}'", pair->first, is_flag ? "no value" : "a number", printable(pair->second));
    }
  }
  return message.find(": expected ") == std::string::npos ? message + "; --help tells what is expected" : message;
}

}  // namespace

std::string parse_error_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen(app);
  // A required option that is missing may be one that is misspelt.
  const bool incomplete = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (incomplete || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::vector<std::string> extra = command.remaining();
    if (incomplete) std::erase_if(extra, [](const std::string& word) { return !word.starts_with("-"); });
    if (!extra.empty()) return unexpected_text(app, command, extra);
    if (&command == &app) return fmt::format("{}; --help tells what is expected", error.what());
  }
  return rewritten(command, &command == &app ? "" : command.get_name() + ": ", error.what());
}

}  // namespace paretofl
