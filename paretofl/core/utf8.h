#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace paretofl {

/// Bytes of the UTF-8 character that a text begins with; 0 if it begins with none: an empty text, or a byte that
/// begins no valid character (overlong forms, surrogates and what lies beyond U+10FFFF are not valid).
std::size_t utf8_size(std::string_view text);

/// Bytes of the first character of a text that is not empty, a byte that is not UTF-8 counting as one.
std::size_t first_size(std::string_view text);
/// The same of the last character.
std::size_t last_size(std::string_view text);

/// The code point of one whole character.
char32_t code_point(std::string_view character);
void append_utf8(std::string& text, char32_t code);

/// Bytes of the longest beginning of a text that is UTF-8.
std::size_t valid_prefix(std::string_view text);

/// Whether all of a text is UTF-8.
bool is_utf8(std::string_view text);

/// `change` applied to every longest part of a text that is UTF-8; other bytes stay as they are.
std::string map_utf8(std::string_view text, const std::function<std::string(std::string_view)>& change);

}  // namespace paretofl
