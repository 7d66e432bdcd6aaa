#include "paretofl/solvers/fairgrad.h"

#include <algorithm>
#include <cmath>

#include "paretofl/optimization/proportional_gains.h"
#include "paretofl/optimization/unit_gramian.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

void FairGrad::Options::describe(OptionVisitor& visit) {
  visit.real(
      "alpha", alpha, 0.1, 10,
      "fairness: near 0 the mean gain counts, at 1 the product of the gains, and with larger values more and more the smallest gain");
}

WeightSolution FairGrad::solve(const WeightProblem& problem) const {
  check(problem);
  const UnitGramian units(problem.gramian);
  const double gamma = 1 / options_.alpha;
  std::vector<double> pull = preference_shares(problem);
  for (std::size_t k = 0; k < pull.size(); ++k) {
    if (units.norms[k] == 0) continue;
    // Bounded, so that norms beyond any in practice still give numbers.
    pull[k] = std::exp(std::clamp(gamma * std::log(pull[k]) + (gamma - 1) * std::log(units.norms[k]), -300.0, 300.0));
  }
  const ProportionalGains gains = proportional_gains(units.cosines, pull, gamma);
  return {shares(units.along_gradients(gains.along_units)), gains.residual, gains.iterations};
}

}  // namespace paretofl
