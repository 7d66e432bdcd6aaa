#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace paretofl {

/// Mean and standard deviation of numbers, for scaling.
struct ColumnScale {
  double mean = 0;
  double deviation = 0;  ///< 0 where they do not vary, and where there are none
};

/// Over the rows named, in their order, that have a number (are not NaN). The deviation is that of the population.
ColumnScale column_scale(std::span<const double> numbers, std::span<const std::uint32_t> rows);

}  // namespace paretofl
