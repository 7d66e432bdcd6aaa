#include "paretofl/solvers/sdmgrad.h"

#include "paretofl/optimization/kkt_residual.h"
#include "paretofl/optimization/shifted_gramian.h"
#include "paretofl/optimization/simplex_descent.h"
#include "paretofl/optimization/simplex_projection.h"
#include "paretofl/optimization/unit_gramian.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

void SdmGrad::Options::describe(OptionVisitor& visit) {
  visit.real("rho", rho, 0, 1e6, "weight of the target direction (lambda in the paper)");
  visit.real("step_size", step_size, 0, 2, "step size, as a multiple of 1 / tr(H)");
  visit.integer("steps", steps, 1, kMaxInt, "number of steps (S)");
}

WeightSolution SdmGrad::solve(const WeightProblem& problem) const {
  check(problem);
  check_previous_on_simplex(problem);
  const std::vector<double> p = preference_shares(problem);
  const Gramian shifted = shifted_gramian(UnitGramian(problem.gramian).gramian(), p, options_.rho);
  std::vector<double> w = p;
  if (!problem.previous.empty()) {
    for (std::size_t k = 0; k < w.size(); ++k) w[k] = problem.previous[k] + options_.rho * (problem.previous[k] - p[k]);
    std::vector<double> scratch(w.size());
    project_onto_simplex(w, scratch);
  }
  WeightSolution solution;
  const double trace = shifted.trace();
  if (trace > 0) {
    std::vector<double> scaled(shifted.values().begin(), shifted.values().end());
    for (double& value : scaled) value *= options_.step_size / trace;
    solution.iterations = descend_on_simplex(scaled, options_.steps, w);
    solution.kkt_residual = kkt_residual(shifted, w);
  }
  for (std::size_t k = 0; k < w.size(); ++k) w[k] = (w[k] + options_.rho * p[k]) / (1 + options_.rho);
  solution.objective_weights = std::move(w);
  return solution;
}

}  // namespace paretofl
