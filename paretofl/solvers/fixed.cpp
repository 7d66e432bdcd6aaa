#include "paretofl/solvers/fixed.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

void Fixed::Options::describe(OptionVisitor& visit) {
  visit.reals("objective_weights", objective_weights, 0, kInfinity, "one weight per objective, scaled to sum to 1; empty: uniform");
}

Fixed::Fixed(Options options) : objective_weights_(std::move(options.objective_weights)) {
  if (objective_weights_.empty()) return;
  const double largest = *std::max_element(objective_weights_.begin(), objective_weights_.end());
  expect(largest > 0 && std::isfinite(largest), "fixed: expected finite objective_weights with one above 0, found a largest one of {}",
         largest);
  objective_weights_ = shares(objective_weights_);
}

WeightSolution Fixed::solve(const WeightProblem& problem) const {
  check(problem);
  const std::size_t objectives = problem.gramian.objectives();
  if (objective_weights_.empty()) return {std::vector<double>(objectives, 1 / static_cast<double>(objectives))};
  expect(objective_weights_.size() == objectives, "fixed: expected {} objective_weights, one per objective, found {}", objectives,
         objective_weights_.size());
  return {objective_weights_};
}

}  // namespace paretofl
