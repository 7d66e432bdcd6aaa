#include "paretofl/optimization/dual_cone.h"

#include <algorithm>
#include <cmath>

#include "paretofl/optimization/active_set.h"

namespace paretofl {

DualConeStep step_to_dual_cone(const UnitGramian& units, std::span<const double> start) {
  ActiveSet active_set(units.cosines, start);
  DualConeStep step;
  step.iterations = active_set.run();
  step.along_units = active_set.from_start();
  std::vector<double> point(start.begin(), start.end());
  double sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) sum += point[i] += step.along_units[i];
  if (sum == 0) return step;
  for (std::size_t i = 0; i < point.size(); ++i) {
    double slope = 0;
    for (std::size_t j = 0; j < point.size(); ++j) slope += units.cosines(i, j) * (point[j] / sum);
    step.residual = std::max(step.residual, step.along_units[i] > 0 ? std::abs(slope) : -slope);
  }
  return step;
}

}  // namespace paretofl
