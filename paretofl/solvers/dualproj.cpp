#include "paretofl/solvers/dualproj.h"

#include "paretofl/optimization/dual_cone.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

WeightSolution DualProj::solve(const WeightProblem& problem) const {
  check(problem);
  const UnitGramian units(problem.gramian);
  std::vector<double> alpha = preference_shares(problem);
  std::vector<double> mean = alpha;
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] *= units.norms[i];
  const DualConeStep step = step_to_dual_cone(units, mean);
  const std::vector<double> added = units.along_gradients(step.along_units);
  for (std::size_t i = 0; i < alpha.size(); ++i) alpha[i] += added[i];
  return {shares(alpha), step.residual, step.iterations};
}

}  // namespace paretofl
