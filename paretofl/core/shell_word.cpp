#include "paretofl/core/shell_word.h"

#include <algorithm>
#include <string_view>

#include "paretofl/core/ascii.h"

namespace paretofl {

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) { return is_letter(c) || is_digit(c) || std::string_view("/._-+=,:@%").find(c) != std::string_view::npos; };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace paretofl
