#include "paretofl/core/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace paretofl {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0 where the text begins with no valid character
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < bytes) return {};
  char32_t code = byte(0) & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, bytes};
}

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
    const auto [code, bytes] = first_character(text);
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
    const Character character = first_character(rest);
    const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
    // Below it only white space between values is left; in texts the serializer has escaped it.
    if (character.code < 0x7F || may_be_shown(character.code)) {
      escaped += rest.substr(0, bytes);
    } else {
      escaped += fmt::format("\\u{:04x}", static_cast<unsigned>(character.code));
    }
    rest.remove_prefix(bytes);
  }
  return escaped;
}

}  // namespace paretofl
