#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace paretofl {

/// The values as a row of block characters between `low` and `high`, thinned to at most `width` of them with
/// both ends kept; a space where a value is NaN.
std::string sparkline(const std::vector<double>& values, double low, double high, std::size_t width);

}  // namespace paretofl
