#include "paretofl/solvers/smooth_tchebycheff.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

void SmoothTchebycheff::Options::describe(OptionVisitor& visit) {
  visit.real("mu", mu, 1e-12, 1e12, "smoothness; as mu goes to 0, only the largest weighted loss counts");
  visit.reals("ideal", ideal, -kInfinity, kInfinity, "z, the best possible loss of each objective; empty: zeros");
}

WeightSolution SmoothTchebycheff::solve(const WeightProblem& problem) const {
  check(problem);
  const std::size_t objectives = problem.gramian.objectives();
  expect(!problem.losses.empty(), "smooth_tchebycheff: expected the losses, found none");
  expect(options_.ideal.empty() || options_.ideal.size() == objectives,
         "smooth_tchebycheff: expected an ideal point of {} numbers, one per objective, found {}", objectives, options_.ideal.size());
  const std::vector<double> preference = preference_shares(problem);
  std::vector<double> distance(objectives);
  double largest = -kInfinity;
  for (std::size_t k = 0; k < objectives; ++k) {
    const double ideal = options_.ideal.empty() ? 0 : options_.ideal[k];
    distance[k] = preference[k] * static_cast<double>(objectives) * (problem.losses[k] / options_.mu - ideal / options_.mu);
    largest = std::max(largest, distance[k]);
  }
  expect(std::isfinite(largest), "smooth_tchebycheff: expected losses that are finite over mu, found {}", largest);
  std::vector<double> alpha(objectives);
  for (std::size_t k = 0; k < objectives; ++k) alpha[k] = preference[k] * std::exp(distance[k] - largest);
  return {shares(alpha)};
}

}  // namespace paretofl
