#include "paretofl/solvers/held_objectives.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

std::vector<double> part_of(std::span<const double> values, std::span<const std::size_t> held) {
  std::vector<double> part;
  if (values.empty()) return part;
  for (const std::size_t k : held) part.push_back(values[k]);
  return part;
}

/// Weights of any scale as ones whose absolute values sum to 1.
std::vector<double> scaled(std::vector<double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  for (double& weight : weights) weight = sum > 0 ? weight / sum : 1 / static_cast<double>(weights.size());
  return weights;
}

}  // namespace

WeightSolution solve_for(const WeightSolver& solver, const WeightProblem& problem, std::span<const std::size_t> held) {
  const std::size_t objectives = problem.gramian.objectives();
  expect(!held.empty() && held.back() < objectives, "objective weights: expected objectives below {}, found {}", objectives,
         held.empty() ? "none" : std::to_string(held.back()));
  if (held.size() == objectives) return solver.solve(problem);
  Gramian gramian(held.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    for (std::size_t j = 0; j < held.size(); ++j) gramian(i, j) = problem.gramian(held[i], held[j]);
  }
  const std::vector<double> losses = part_of(problem.losses, held);
  const std::vector<double> previous = scaled(part_of(problem.previous, held));
  const std::vector<double> previous_losses = part_of(problem.previous_losses, held);
  const std::vector<double> preference = part_of(problem.preference, held);
  std::vector<double> two_sample_products;
  if (!problem.two_sample_products.empty()) {
    for (const std::size_t k : held) {
      for (const std::size_t l : held) two_sample_products.push_back(problem.two_sample_products[k * objectives + l]);
    }
  }
  WeightSolution solution = solver.solve({.gramian = gramian,
                                          .losses = losses,
                                          .previous = previous,
                                          .previous_losses = previous_losses,
                                          .two_sample_products = two_sample_products,
                                          .preference = preference,
                                          .step = problem.step});
  std::vector<double> lambda(objectives);
  for (std::size_t i = 0; i < held.size(); ++i) lambda[held[i]] = solution.objective_weights[i];
  solution.objective_weights = std::move(lambda);
  return solution;
}

}  // namespace paretofl
