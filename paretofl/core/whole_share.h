#pragma once

#include <cmath>
#include <cstddef>

namespace paretofl {

/// A share of `count` things, rounded down: share * count, where a product that is whole but for rounding, such as 0.58 * 50, is whole.
inline std::size_t whole_share(double share, std::size_t count) {
  return static_cast<std::size_t>(std::floor(share * static_cast<double>(count) + 1e-9));
}

}  // namespace paretofl
