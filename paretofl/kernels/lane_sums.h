#pragma once

#include <array>

#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// A sum for each of kLanes samples, in double precision.
class LaneSums {
 public:
  void add(Lanes terms) {
    for (std::size_t n = 0; n < kLanes; ++n) sums_[n] += static_cast<double>(terms[n]);
  }
  double operator[](std::size_t sample) const { return sums_[sample]; }

 private:
  std::array<double, kLanes> sums_{};
};

}  // namespace paretofl
