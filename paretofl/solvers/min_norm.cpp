#include "paretofl/solvers/min_norm.h"

#include "paretofl/solvers/simplex_qp.h"

namespace paretofl {

WeightSolution MinNorm::solve(const WeightProblem& problem) const {
  check(problem);
  return minimize_on_simplex(problem.gramian);
}

}  // namespace paretofl
