#include "paretofl/solvers/modo.h"

#include "paretofl/solvers/simplex_step.h"

namespace paretofl {

void MoDo::Options::describe(OptionVisitor& visit) {
  visit.real("gamma", gamma, 0, 1e6, "step size of the weights");
  visit.real("rho", rho, 0, 1e6, "strength of the regularizer rho / 2 ||lambda||^2");
}

WeightSolution MoDo::solve(const WeightProblem& problem) const {
  check(problem);
  const bool two = !problem.two_sample_products.empty();
  return step_on_simplex("modo", problem, two ? problem.two_sample_products : problem.gramian.values(), options_.gamma, options_.rho);
}

}  // namespace paretofl
