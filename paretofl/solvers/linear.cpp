#include "paretofl/solvers/linear.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/optimization/unit_gramian.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {

void Linear::Options::describe(OptionVisitor& visit) {
  visit.choice("scale", scale, {"none", "losses", "gradients"},
               "what each objective's preference is divided by; losses: its loss; gradients: the norm of its gradient");
}

WeightSolution Linear::solve(const WeightProblem& problem) const {
  check(problem);
  std::vector<double> weights = preference_shares(problem);
  if (options_.scale == "none") return {weights};
  if (options_.scale == "gradients") return {shares(UnitGramian(problem.gramian).along_gradients(weights))};
  expect(!problem.losses.empty(), "linear: expected the losses to scale by, found none");
  const double smallest = *std::min_element(problem.losses.begin(), problem.losses.end());
  expect(smallest > 0, "linear: expected positive losses to scale by, found {}", smallest);
  for (std::size_t k = 0; k < weights.size(); ++k) weights[k] *= smallest / problem.losses[k];
  return {shares(weights)};
}

}  // namespace paretofl
