#include "paretofl/solvers/simplex_step.h"

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/optimization/kkt_residual.h"
#include "paretofl/optimization/simplex_projection.h"

namespace paretofl {

WeightSolution step_on_simplex(const char* solver, const WeightProblem& problem, std::span<const double> a, double gamma, double rho) {
  check_previous_on_simplex(problem);
  const std::size_t objectives = problem.gramian.objectives();
  std::vector<double> lambda(problem.previous.begin(), problem.previous.end());
  if (lambda.empty()) lambda.assign(objectives, 1 / static_cast<double>(objectives));
  std::vector<double> next = lambda;
  for (std::size_t k = 0; k < objectives; ++k) {
    double gradient = rho * lambda[k];
    for (std::size_t l = 0; l < objectives; ++l) gradient += a[k * objectives + l] * lambda[l];
    next[k] -= gamma * gradient;
    expect(std::isfinite(next[k]), "{}: expected a finite step of the objective weights, found {} for objective {}", solver, next[k], k);
  }
  project_onto_simplex(next, lambda);
  const double residual = kkt_residual(problem.gramian, next);
  return {std::move(next), residual, 1};
}

}  // namespace paretofl
