#pragma once

#include <cstddef>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/objectives/point_set.h"

namespace paretofl {

/// Points of coordinates in {1/8, 2/8, ..., 1}: in few dimensions with duplicates and shared
/// coordinates, and sums of box volumes over them are exact in double precision.
inline PointSet random_grid_points(Random& random, std::size_t count, std::size_t objectives) {
  std::vector<double> values(count * objectives);
  for (double& value : values) value = static_cast<double>(1 + random.below(8)) / 8;
  return {objectives, std::move(values)};
}

/// Points uniform in the unit cube.
inline PointSet random_points(Random& random, std::size_t count, std::size_t objectives) {
  std::vector<double> values(count * objectives);
  for (double& value : values) value = random.uniform();
  return {objectives, std::move(values)};
}

/// The indices 0 .. count - 1 in random order.
inline std::vector<std::size_t> random_order(Random& random, std::size_t count) { return random.sample_without_replacement(count, count); }

}  // namespace paretofl
