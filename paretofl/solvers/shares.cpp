#include "paretofl/solvers/shares.h"

#include <algorithm>
#include <cmath>

namespace paretofl {

std::vector<double> shares(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0) return std::vector<double>(values.size(), 1 / static_cast<double>(values.size()));
  std::vector<double> result(values.begin(), values.end());
  double sum = 0;
  for (double& value : result) sum += std::abs(value /= largest);
  for (double& value : result) value /= sum;
  return result;
}

std::vector<double> preference_shares(const WeightProblem& problem) {
  if (!problem.preference.empty()) return shares(problem.preference);
  return shares(std::vector<double>(problem.gramian.objectives(), 1.0));
}

}  // namespace paretofl
