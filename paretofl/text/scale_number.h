#pragma once

#include <cmath>

namespace paretofl {

/// Whether a number from outside can be what others are divided by: positive, finite and of full precision.
inline bool is_scale(double number) { return std::isnormal(number) && number > 0; }

}  // namespace paretofl
