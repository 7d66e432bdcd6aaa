#pragma once

#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// The largest of the four numbers of a 2x2 pool [upper left, upper right, lower left, lower right], and which it is: the first of equal
/// ones.
struct LargestOfFour {
  explicit LargestOfFour(const Lanes (&numbers)[4]) : value(numbers[0]) {
    for (int k = 1; k < 4; ++k) {
      const LaneInts larger = numbers[k] > value;
      value = larger ? numbers[k] : value;
      which = larger ? LaneInts{} + k : which;
    }
  }

  Lanes value;
  LaneInts which{};
};

/// The gradient of a pooled number belongs to the one of the four that was chosen, another one for each sample: writes [4], zeros for the
/// others.
inline void route_gradient(Lanes gradient, LaneInts choice, Lanes* routed) {
  for (int k = 0; k < 4; ++k) routed[k] = choice == k ? gradient : Lanes{};
}

}  // namespace paretofl
