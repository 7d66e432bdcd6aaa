#include "paretofl/solvers/simplex_qp.h"

#include <algorithm>
#include <cmath>

#include "paretofl/optimization/active_set.h"
#include "paretofl/optimization/kkt_residual.h"

namespace paretofl {
namespace {

// Minimizes over (lambda, 1 - lambda); both weights are ratios, so that a tiny one keeps its digits.
std::vector<double> minimize_pair(double first, double second, double inner) {
  const double largest = std::max({std::abs(first), std::abs(second), std::abs(inner)});
  if (largest == 0) return {0.5, 0.5};
  const double gain_of_first = second / largest - inner / largest;  // from (0, 1) towards the first
  const double gain_of_second = first / largest - inner / largest;
  const double sum = gain_of_first + gain_of_second;
  if (gain_of_first > 0 && gain_of_second > 0) return {gain_of_first / sum, gain_of_second / sum};
  if (gain_of_first == 0 && gain_of_second == 0) return {0.5, 0.5};
  if (first <= second) return {1, 0};
  return {0, 1};
}

// Weights spread evenly over the gradients that are zero; empty if there are none.
std::vector<double> weights_of_zero_gradients(const Gramian& q) {
  std::vector<double> lambda(q.objectives());
  std::size_t count = 0;
  for (std::size_t i = 0; i < lambda.size(); ++i) count += q(i, i) <= 0 ? 1 : 0;
  if (count == 0) return {};
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] = q(i, i) <= 0 ? 1 / static_cast<double>(count) : 0;
  return lambda;
}

}  // namespace

WeightSolution minimize_on_simplex(const Gramian& q) {
  WeightSolution solution;
  if (q.objectives() == 2) {
    solution.objective_weights = minimize_pair(q(0, 0), q(1, 1), q(0, 1));
    solution.iterations = 1;
  } else {
    solution.objective_weights = weights_of_zero_gradients(q);
    if (solution.objective_weights.empty()) {
      ActiveSet active_set(q);
      solution.iterations = active_set.run();
      solution.objective_weights = active_set.objective_weights();
    }
  }
  solution.kkt_residual = kkt_residual(q, solution.objective_weights);
  return solution;
}

}  // namespace paretofl
