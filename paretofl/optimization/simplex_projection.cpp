#include "paretofl/optimization/simplex_projection.h"

#include <algorithm>
#include <functional>

namespace paretofl {

void project_onto_simplex(std::span<double> point, std::span<double> scratch) {
  std::copy(point.begin(), point.end(), scratch.begin());
  std::sort(scratch.begin(), scratch.end(), std::greater<>());
  // Relative to the largest coordinate, so that a common offset loses no digits.
  const double largest = scratch[0];
  double sum = 0;
  double threshold = -1;
  for (std::size_t k = 0; k < scratch.size(); ++k) {
    sum += scratch[k] - largest;
    const double candidate = (sum - 1) / static_cast<double>(k + 1);
    if (scratch[k] - largest <= candidate) break;
    threshold = candidate;
  }
  for (double& value : point) value = std::max(value - largest - threshold, 0.0);
}

}  // namespace paretofl
