#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paretofl {

/// Looks at ASCII characters only, independent of the locale.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The number of digits that a text begins with.
inline std::size_t digits_of(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

/// The text with A to Z replaced by a to z.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

}  // namespace paretofl
