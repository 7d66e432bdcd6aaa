#include "paretofl/mathematics/number_suffix.h"

#include <algorithm>
#include <array>
#include <utility>

#include "paretofl/core/ascii.h"

namespace paretofl {
namespace {

constexpr auto kBases = std::to_array<std::pair<std::string_view, std::string_view>>({{"two", "2"},
                                                                                      {"three", "3"},
                                                                                      {"four", "4"},
                                                                                      {"five", "5"},
                                                                                      {"six", "6"},
                                                                                      {"seven", "7"},
                                                                                      {"eight", "8"},
                                                                                      {"nine", "9"},
                                                                                      {"ten", "10"},
                                                                                      {"eleven", "11"},
                                                                                      {"twelve", "12"},
                                                                                      {"sixteen", "16"}});

std::string_view ending_of(std::string_view digits) {
  const bool tens = digits.size() > 1 && digits[digits.size() - 2] == '1';
  const char last = tens || digits.empty() ? '0' : digits.back();
  return last == '1' ? "st" : last == '2' ? "nd" : last == '3' ? "rd" : "th";
}

bool is_digit_or_letter(char c) { return is_digit(c) || is_letter(c); }

}  // namespace

std::size_t ordinal_size(std::string_view digits, std::string_view text) {
  const std::size_t whole = text.size();
  const auto take = [&text](std::string_view part) {
    const bool found = text.starts_with(part);
    if (found) text.remove_prefix(part.size());
    return found;
  };
  int braces = 0;
  if (take("^")) braces += take("{") ? 1 : 0;
  for (const std::string_view command : {"\\text{", "\\mathrm{", "\\textrm{", "\\mbox{", "\\textsuperscript{"})
    braces += take(command) ? 1 : 0;
  if (!take(ending_of(digits)) || (!text.empty() && is_digit_or_letter(text.front()))) return 0;
  while (braces > 0 && take("}")) --braces;
  return braces == 0 ? whole - text.size() : 0;
}

std::size_t program_number_size(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return 0;
  const char base = static_cast<char>(text[1] | 0x20);
  const bool hexadecimal = base == 'x' && (is_digit(text[2]) || ((text[2] | 0x20) >= 'a' && (text[2] | 0x20) <= 'f'));
  if (!hexadecimal && ((base != 'b' && base != 'o') || !is_digit(text[2]))) return 0;
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit_or_letter) - text.begin());
}

std::optional<std::string_view> base_digits(std::string_view word) {
  const auto* const found = std::find_if(kBases.begin(), kBases.end(), [word](const auto& base) { return base.first == word; });
  return found == kBases.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace paretofl
