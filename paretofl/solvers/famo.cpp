#include "paretofl/solvers/famo.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {
namespace {

void check_positive(std::span<const double> losses, const char* name) {
  for (const double loss : losses) expect(loss > 0, "famo: expected positive {}, found {}", name, loss);
}

/// softmax(logits), where the logits are finite.
std::vector<double> softmax(std::vector<double> logits) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  for (double& logit : logits) logit = std::exp(logit - largest);
  return shares(logits);
}

/// log z up to a constant, from lambda_k ~ z_k / f_k; a weight of 0 counts as the smallest positive number.
std::vector<double> logits_of(std::span<const double> lambda, std::span<const double> losses) {
  std::vector<double> logits;
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    logits.push_back(std::log(std::max(lambda[k], std::numeric_limits<double>::min())) + std::log(losses[k]));
  }
  return logits;
}

}  // namespace

void Famo::Options::describe(OptionVisitor& visit) {
  visit.real("beta", beta, 0, 1e6, "step size of the logits xi, whose softmax is lambda");
  visit.real("gamma", gamma, 0, 1e6, "decay of the logits xi");
}

WeightSolution Famo::solve(const WeightProblem& problem) const {
  check(problem);
  check_previous_on_simplex(problem);
  expect(!problem.losses.empty(), "famo: expected the losses, found none");
  check_positive(problem.losses, "losses");
  check_positive(problem.previous_losses, "previous_losses");
  const std::size_t objectives = problem.gramian.objectives();
  std::vector<double> xi(objectives);
  if (!problem.previous_losses.empty()) {
    expect(!problem.previous.empty(), "famo: expected the previous weights beside the previous losses, found none");
    xi = logits_of(problem.previous, problem.previous_losses);
    const std::vector<double> z = softmax(xi);
    std::vector<double> fall(objectives);  // log f(before) - log f(after)
    for (std::size_t k = 0; k < objectives; ++k) fall[k] = std::log(problem.previous_losses[k]) - std::log(problem.losses[k]);
    const double mean_fall = std::inner_product(z.begin(), z.end(), fall.begin(), 0.0);
    for (std::size_t k = 0; k < objectives; ++k) xi[k] -= options_.beta * (z[k] * (fall[k] - mean_fall) + options_.gamma * xi[k]);
  }
  for (std::size_t k = 0; k < objectives; ++k) xi[k] -= std::log(problem.losses[k]);  // log (z_k / f_k)
  return {softmax(std::move(xi))};
}

}  // namespace paretofl
