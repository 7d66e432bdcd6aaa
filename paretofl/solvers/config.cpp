#include "paretofl/solvers/config.h"

#include "paretofl/solvers/equal_cosines.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

WeightSolution ConFig::solve(const WeightProblem& problem) const {
  check(problem);
  const UnitGramian units(problem.gramian);
  const EqualCosines equal = equal_cosines(units, preference_shares(problem));
  return {shares(units.along_gradients(equal.along_units)), equal.residual};
}

}  // namespace paretofl
