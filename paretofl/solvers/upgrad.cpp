#include "paretofl/solvers/upgrad.h"

#include <algorithm>

#include "paretofl/optimization/dual_cone.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

WeightSolution UpGrad::solve(const WeightProblem& problem) const {
  check(problem);
  const std::size_t objectives = problem.gramian.objectives();
  const UnitGramian units(problem.gramian);
  const std::vector<double> preference = preference_shares(problem);
  WeightSolution solution;
  std::vector<double> added(objectives);
  std::vector<double> unit(objectives);  // a row of the identity
  for (std::size_t k = 0; k < objectives; ++k) {
    unit[k] = 1;
    const DualConeStep step = step_to_dual_cone(units, unit);
    unit[k] = 0;
    for (std::size_t i = 0; i < objectives; ++i) added[i] += preference[k] * units.norms[k] * step.along_units[i];
    solution.kkt_residual = std::max(solution.kkt_residual, step.residual);
    solution.iterations += step.iterations;
  }
  std::vector<double> alpha = units.along_gradients(added);
  for (std::size_t i = 0; i < objectives; ++i) alpha[i] += preference[i];
  solution.objective_weights = shares(alpha);
  return solution;
}

}  // namespace paretofl
