#include "paretofl/core/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "paretofl/core/utf8.h"

namespace paretofl {
namespace {

bool may_be_shown(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool separator = code == 0x2028 || code == 0x2029;
  const bool direction =
      code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return !control && !separator && !direction;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t bytes = utf8_size(text);
    const char32_t code = bytes == 0 ? 0 : code_point(text.substr(0, bytes));
    if (bytes == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (may_be_shown(code)) {
      shown += text.substr(0, bytes);
    } else if (code == '\n' || code == '\t' || code == '\r') {
      shown += code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r";
    } else {
      shown += code < 0x80 ? fmt::format("\\x{:02x}", static_cast<unsigned>(code)) : fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return shown;
}

std::string printable_json(std::string text) {
  if (std::none_of(text.begin(), text.end(), [](unsigned char byte) { return byte >= 0x7F; })) return text;
  std::string escaped;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_size(rest));
    const char32_t code = code_point(character);
    // Below 7f only white space between values is left; in texts the serializer has escaped it.
    if (code < 0x7F || may_be_shown(code)) {
      escaped += character;
    } else {
      escaped += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    }
    rest.remove_prefix(character.size());
  }
  return escaped;
}

}  // namespace paretofl
