#include "paretofl/solvers/moco.h"

#include "paretofl/solvers/simplex_step.h"

namespace paretofl {

void MoCo::Options::describe(OptionVisitor& visit) {
  visit.real("gamma", gamma, 0, 1e6, "step size of the weights");
  visit.real("rho", rho, 0, 1e6, "strength of the regularizer rho / 2 ||lambda||^2");
}

WeightSolution MoCo::solve(const WeightProblem& problem) const {
  check(problem);
  return step_on_simplex("moco", problem, problem.gramian.values(), options_.gamma, options_.rho);
}

}  // namespace paretofl
