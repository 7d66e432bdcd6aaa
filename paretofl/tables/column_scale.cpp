#include "paretofl/tables/column_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace paretofl {

ColumnScale column_scale(std::span<const double> numbers, std::span<const std::uint32_t> rows) {
  double count = 0;
  double sum = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const std::uint32_t row : rows) {
    const double x = numbers[row];
    if (std::isnan(x)) continue;
    count += 1;
    sum += x;
    least = std::min(least, x);
    most = std::max(most, x);
  }
  if (count == 0) return {};
  if (least == most) return {.mean = least, .deviation = 0};
  const double mean = sum / count;
  double squares = 0;
  for (const std::uint32_t row : rows) {
    const double distance = numbers[row] - mean;
    if (!std::isnan(distance)) squares += distance * distance;
  }
  return {.mean = mean, .deviation = std::sqrt(squares / count)};
}

}  // namespace paretofl
