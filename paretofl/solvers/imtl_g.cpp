#include "paretofl/solvers/imtl_g.h"

#include "paretofl/solvers/equal_cosines.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

WeightSolution ImtlG::solve(const WeightProblem& problem) const {
  check(problem);
  const UnitGramian units(problem.gramian);
  const EqualCosines equal = equal_cosines(units, std::vector<double>(problem.gramian.objectives(), 1.0));
  return {shares(units.along_gradients(equal.along_units)), equal.residual};
}

}  // namespace paretofl
