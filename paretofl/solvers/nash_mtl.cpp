#include "paretofl/solvers/nash_mtl.h"

#include "paretofl/optimization/proportional_gains.h"
#include "paretofl/optimization/unit_gramian.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

WeightSolution NashMtl::solve(const WeightProblem& problem) const {
  check(problem);
  const UnitGramian units(problem.gramian);
  const ProportionalGains gains = proportional_gains(units.cosines, preference_shares(problem), 1);
  return {shares(units.along_gradients(gains.along_units)), gains.residual, gains.iterations};
}

}  // namespace paretofl
