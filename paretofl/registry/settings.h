#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace paretofl {

/// A parsed config or a part of one: values and tables by key, as the file (or --set) gave them.
/// What a key means, its default and its range stand in the Options struct that reads it.
struct Settings {
  using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>, std::vector<std::string>>;

  std::map<std::string, Value, std::less<>> values;
  std::map<std::string, Settings, std::less<>> tables;

  bool empty() const { return values.empty() && tables.empty(); }
  bool operator==(const Settings&) const = default;
};

/// The value in TOML's notation, for messages and resolved configs.
std::string to_text(const Settings::Value& value);

}  // namespace paretofl
