#include "paretofl/mathematics/calendar_day.h"

#include <algorithm>

#include "paretofl/core/ascii.h"

namespace paretofl {

std::optional<std::array<int, 3>> calendar_day(std::string_view text) {
  std::array<int, 3> numbers{};
  std::array<std::size_t, 3> sizes{};
  char separator = '\0';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) {
      if (text.empty() || (text[0] != '-' && text[0] != '/') || (i > 1 && text[0] != separator)) return std::nullopt;
      separator = text[0];
      text.remove_prefix(1);
    }
    sizes.at(i) = digits_of(text);
    if (sizes.at(i) == 0 || sizes.at(i) > 4) return std::nullopt;
    for (const char digit : text.substr(0, sizes.at(i))) numbers.at(i) = 10 * numbers.at(i) + (digit - '0');
    text.remove_prefix(sizes.at(i));
  }
  if (!text.empty()) return std::nullopt;
  const auto is_day_and_month = [&](std::size_t first) {
    if (sizes.at(first) > 2 || sizes.at(first + 1) > 2) return false;
    const auto [low, high] = std::minmax(numbers.at(first), numbers.at(first + 1));
    return low >= 1 && low <= 12 && high <= 31;
  };
  const bool year_first = sizes[0] == 4 && is_day_and_month(1);
  const bool year_last = sizes[2] == 4 && is_day_and_month(0);
  return year_first || year_last ? std::optional(numbers) : std::nullopt;
}

}  // namespace paretofl
