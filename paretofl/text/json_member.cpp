#include "paretofl/text/json_member.h"

#include <nlohmann/json.hpp>

namespace paretofl {
namespace {

std::string_view bare(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace

std::string_view json_member(std::string_view object, std::string_view key) {
  std::string_view found;
  const std::size_t open = object.find('{');  // a byte order mark may stand before it
  std::size_t start = open + 1;               // of the key, or of the value behind it
  std::size_t depth = 0;
  bool quoted = false;
  bool wanted = false;
  for (std::size_t i = open; i < object.size(); ++i) {
    const char c = object[i];
    if (c == '"') quoted = !quoted;
    if (c == '\\') ++i;
    if (quoted) continue;
    const bool closes = c == '}' || c == ']';
    if (depth == 1 && c == ':') {
      wanted = nlohmann::json::parse(object.substr(start, i - start)) == key;
      start = i + 1;
    }
    if (depth == 1 && (c == ',' || closes)) {
      if (wanted) found = bare(object.substr(start, i - start));
      wanted = false;
      start = i + 1;
    }
    if (c == '{' || c == '[') ++depth;
    if (closes && --depth == 0) break;
  }
  return found;
}

}  // namespace paretofl
