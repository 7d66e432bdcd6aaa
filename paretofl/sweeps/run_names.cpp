#include "paretofl/sweeps/run_names.h"

#include <fmt/ranges.h>

#include <map>
#include <set>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::size_t kLongestValue = 24;
constexpr std::size_t kLongestName = 255;  // of a folder, on most file systems

/// A value as a part of a folder's name: without brackets, quotes and spaces, and with nothing that a shell or
/// a file system takes for something else.
std::string name_part(const std::string& value) {
  std::string part;
  for (const char c : value) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || std::string_view("._,+-").find(c) != std::string_view::npos) {
      part += c;
    } else if (std::string_view("[]\"' ").find(c) == std::string_view::npos) {
      part += '-';
    }
  }
  return part;
}

}  // namespace

std::vector<std::string> short_keys(const std::vector<Axis>& axes) {
  std::vector<std::string> keys;
  std::map<std::string, int> uses;
  for (const Axis& axis : axes) {
    std::string key = axis.key;
    if (key.ends_with(".name")) key.resize(key.size() - 5);
    keys.push_back(key.substr(key.rfind('.') + 1));
    ++uses[keys.back()];
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (uses[keys[i]] > 1) keys[i] = axes[i].key;
  }
  return keys;
}

std::vector<std::string> name_parts(const Axis& axis, const std::string& key) {
  std::vector<std::string> parts;
  bool readable = true;
  for (const std::string& value : axis.values) {
    const std::string part = name_part(value);
    readable = readable && !part.empty() && part.size() <= kLongestValue;
    parts.push_back(fmt::format("{}={}", key, part));
  }
  if (readable && std::set(parts.begin(), parts.end()).size() == parts.size()) return parts;
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = fmt::format("{}.{}", key, i + 1);
  return parts;
}

std::string run_name(const std::vector<std::string>& parts) {
  const std::string name = fmt::format("{}", fmt::join(parts, "_"));
  expect(name.size() <= kLongestName, "sweep: expected names of runs of at most {} characters, found {}", kLongestName, name);
  return name;
}

}  // namespace paretofl
