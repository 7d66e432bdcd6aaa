#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace paretofl {

/// The three numbers of a day of the calendar, in the order in which they are written: 2024-01-05, 2024/1/5, 12/25/2024. None for
/// any other text. Dashes and strokes of a day neither subtract nor divide.
std::optional<std::array<int, 3>> calendar_day(std::string_view text);

}  // namespace paretofl
