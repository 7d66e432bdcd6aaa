#pragma once

#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {

/// The figure that the function returns; NaN if it throws Error, as indicators do on figures of diverged runs that no
/// double holds, and hypervolume for many objectives: a report shows what there is.
template <class Figure>
double known_or_nan(Figure figure) {
  try {
    return figure();
  } catch (const Error&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace paretofl
