#include "paretofl/solvers/weight_solver.h"

#include <cmath>
#include <string_view>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

void check_values(std::span<const double> values, std::size_t objectives, std::string_view name) {
  if (values.empty()) return;
  expect(values.size() == objectives, "{}: expected {} values, one per objective of the gramian, found {}", name, objectives,
         values.size());
  for (const double value : values) expect(std::isfinite(value), "{}: expected finite values, found {}", name, value);
}

}  // namespace

void check(const WeightProblem& problem) {
  problem.gramian.check();
  const std::size_t objectives = problem.gramian.objectives();
  check_values(problem.losses, objectives, "losses");
  check_values(problem.previous, objectives, "previous");
  check_values(problem.preference, objectives, "preference");
  double sum = 0;
  for (const double value : problem.previous) sum += std::abs(value);
  expect(problem.previous.empty() || std::abs(sum - 1) <= 1e-6,
         "previous: expected objective weights whose absolute values sum to 1, found {}", sum);
  for (const double value : problem.preference) expect(value > 0, "preference: expected positive values, found {}", value);
  expect(problem.step >= 1, "step: expected at least 1, found {}", problem.step);
}

void check_previous_on_simplex(const WeightProblem& problem) {
  for (const double value : problem.previous) expect(value >= 0, "previous: expected objective weights of at least 0, found {}", value);
}

}  // namespace paretofl
