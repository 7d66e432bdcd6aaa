#include "paretofl/solvers/projected_gradient.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/optimization/kkt_residual.h"
#include "paretofl/optimization/simplex_descent.h"

namespace paretofl {
namespace {

// The official implementation's measure of the gradients' size: the square of their mean norm.
double squared_mean_norm(const Gramian& gramian) {
  double sum = 0;
  for (std::size_t i = 0; i < gramian.objectives(); ++i) sum += std::sqrt(std::max(gramian(i, i), 0.0) + 1e-4);
  const double mean = sum / static_cast<double>(gramian.objectives());
  return mean * mean;
}

}  // namespace

void ProjectedGradient::Options::describe(OptionVisitor& visit) {
  visit.real("beta", beta, 0, kInfinity, "step size");
  visit.integer("steps", steps, 1, kMaxInt, "number of steps (K)");
  visit.boolean("normalize", normalize, "divide G by [mean_k sqrt(G_kk + 1e-4)]^2 first, as the official implementation does");
}

WeightSolution ProjectedGradient::solve(const WeightProblem& problem) const {
  check(problem);
  check_previous_on_simplex(problem);
  const std::size_t objectives = problem.gramian.objectives();
  const double scale = options_.normalize ? 1 / squared_mean_norm(problem.gramian) : 1.0;
  std::vector<double> scaled(problem.gramian.values().begin(), problem.gramian.values().end());  // beta G
  for (double& value : scaled) {
    value = options_.beta * (value * scale);
    expect(std::isfinite(value * static_cast<double>(objectives)), "projected_gradient: expected finite steps, found beta G with {}",
           value);
  }

  WeightSolution solution;
  std::vector<double>& lambda = solution.objective_weights;
  lambda.assign(problem.previous.begin(), problem.previous.end());
  if (lambda.empty()) lambda.assign(objectives, 1 / static_cast<double>(objectives));
  solution.iterations = descend_on_simplex(scaled, options_.steps, lambda);
  solution.kkt_residual = kkt_residual(problem.gramian, lambda);
  return solution;
}

}  // namespace paretofl
