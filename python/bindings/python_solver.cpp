#include "python/bindings/python_solver.h"

#include <cmath>

#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

nb::object vector_or_none(std::span<const double> values) { return values.empty() ? nb::none() : nb::object(copied_to_numpy(values)); }

}  // namespace

PythonSolver::PythonSolver(std::string name, nb::object solver)
    : name_(std::move(name)), solver_(std::move(solver)), negative_weights_(nb::cast<bool>(solver_.get().attr("negative_weights"))) {}

WeightSolution PythonSolver::solve(const WeightProblem& problem) const {
  check(problem);
  const std::size_t objectives = problem.gramian.objectives();
  WeightSolution solution;
  solution.objective_weights = with_interpreter(name_.c_str(), [&] {
    const nb::object weights = solver_.get().attr("_weights")(name_, copied_to_numpy(problem.gramian.values(), {objectives, objectives}),
                                                              vector_or_none(problem.losses), vector_or_none(problem.preference),
                                                              vector_or_none(problem.previous), problem.step);
    const auto array = nb::cast<Doubles>(weights);
    return std::vector<double>(array.data(), array.data() + array.size());
  });
  std::vector<double>& lambda = solution.objective_weights;
  expect(lambda.size() == objectives, "solver {}: expected {} weights, one per objective, found {}", name_, objectives, lambda.size());
  double largest = 0;
  for (const double weight : lambda) {
    expect(std::isfinite(weight), "solver {}: expected finite weights, found {}", name_, weight);
    expect(weight >= 0 || negative_weights_,
           "solver {}: expected weights of at least 0, found {}; negative_weights = True of the class allows them", name_, weight);
    largest = std::max(largest, std::abs(weight));
  }
  expect(largest > 0, "solver {}: expected weights that are not all zero, found only zeros", name_);
  double sum = 0;
  for (double& weight : lambda) sum += std::abs(weight /= largest);
  for (double& weight : lambda) weight /= sum;
  return solution;
}

}  // namespace paretofl::python
