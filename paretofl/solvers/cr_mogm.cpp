#include "paretofl/solvers/cr_mogm.h"

#include "paretofl/core/error.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

void CrMogm::Options::describe(OptionVisitor& visit) {
  visit.component("solver", solver, solvers(), "whose weights are smoothed");
  visit.real("alpha", alpha, 0, 1, "share of the previous weights; 0: the solver's own weights");
}

CrMogm::CrMogm(const Options& options) : solver_(make_solver(options.solver)), alpha_(options.alpha) {
  expect(!solver_->reads_previous_losses(),
         "cr_mogm: expected a solver whose previous weights may be smoothed, found '{}', which reads its state from them",
         options.solver.name);
}

WeightSolution CrMogm::solve(const WeightProblem& problem) const {
  WeightSolution solution = solver_->solve(problem);
  if (problem.previous.empty() || alpha_ == 0) return solution;
  std::vector<double>& lambda = solution.objective_weights;
  for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = alpha_ * problem.previous[k] + (1 - alpha_) * lambda[k];
  lambda = shares(lambda);
  return solution;
}

}  // namespace paretofl
