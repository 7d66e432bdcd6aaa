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
  check_values(problem.previous_losses, objectives, "previous_losses");
  check_values(problem.preference, objectives, "preference");
  const std::span<const double> products = problem.two_sample_products;
  expect(products.empty() || products.size() == objectives * objectives,
         "two_sample_products: expected {} values, one per pair of objectives of the gramian, found {}", objectives * objectives,
         products.size());
  for (const double value : products) expect(std::isfinite(value), "two_sample_products: expected finite values, found {}", value);
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

void check_one_sample(const char* strategy, const WeightSolver& solver) {
  expect(!solver.reads_two_samples(),
         "{}: expected a solver for the gradients of one sample per round, found one that needs two independent samples, which fedcmoo can "
         "draw",
         strategy);
}

}  // namespace paretofl
