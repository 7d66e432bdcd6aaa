#include "paretofl/solvers/held_objectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr std::size_t kFour = 4;
const std::vector<std::size_t> kSome{0, 2, 3};

/// What of four values belongs to kSome.
std::vector<double> of_some(const std::vector<double>& values) { return {values[0], values[2], values[3]}; }

TEST(HeldObjectives, AreSolvedAsIfThereWereNoOthers) {
  const std::vector<double> losses{1, 7, 2, 3}, preference{1, 2, 3, 4}, previous{0.1, 0.5, 0.1, 0.3}, previous_losses{2, 5, 3, 4};
  const std::vector<double> rows = normal_rows(1, kFour, 9);
  std::vector<double> held_rows(rows.begin(), rows.begin() + 9);
  held_rows.insert(held_rows.end(), rows.begin() + 18, rows.end());
  const Gramian gramian = gramian_of(rows, kFour), held_gramian = gramian_of(held_rows, 3);
  for (const RegistryEntry* entry : solvers().entries()) {
    const std::string& name = entry->name;
    const auto solver = make_solver({name, {}});
    const std::vector<double> held_previous{0.2, 0.2, 0.6};
    const WeightSolution expected = solver->solve({.gramian = held_gramian,
                                                   .losses = of_some(losses),
                                                   .previous = held_previous,
                                                   .previous_losses = of_some(previous_losses),
                                                   .two_sample_products = held_gramian.values(),
                                                   .preference = of_some(preference),
                                                   .step = 3});
    const WeightSolution found = solve_for(*solver,
                                           {.gramian = gramian,
                                            .losses = losses,
                                            .previous = previous,
                                            .previous_losses = previous_losses,
                                            .two_sample_products = gramian.values(),
                                            .preference = preference,
                                            .step = 3},
                                           kSome);
    EXPECT_THAT(of_some(found.objective_weights), Pointwise(DoubleNear(1e-9), expected.objective_weights)) << name;
    EXPECT_EQ(found.objective_weights[1], 0) << name;
  }
}

TEST(HeldObjectives, AllOfThemIsTheSolverItself) {
  const Gramian gramian = gramian_of(normal_rows(2, kFour, 9), kFour);
  const auto solver = make_solver({"min_norm", {}});
  const WeightProblem problem{.gramian = gramian};
  EXPECT_EQ(solve_for(*solver, problem, std::vector<std::size_t>{0, 1, 2, 3}).objective_weights, solver->solve(problem).objective_weights);
}

TEST(HeldObjectives, AloneAnObjectiveHasAllTheWeightWhateverItHadBefore) {
  const Gramian gramian = gramian_of(normal_rows(3, 2, 9), 2);
  const std::vector<double> previous{1, 0};
  for (const char* name : {"min_norm", "projected_gradient", "regularized_min_norm", "fixed"}) {
    const auto found = solve_for(*make_solver({name, {}}), {.gramian = gramian, .previous = previous}, std::vector<std::size_t>{1});
    EXPECT_THAT(found.objective_weights, ElementsAre(0, DoubleEq(1))) << name;
  }
}

TEST(HeldObjectives, OthersThanThoseOfTheProblemAreErrors) {
  const Gramian gramian = gramian_of(normal_rows(3, 2, 9), 2);
  const auto solver = make_solver({"min_norm", {}});
  EXPECT_THROW(solve_for(*solver, {.gramian = gramian}, {}), Error);
  EXPECT_THROW(solve_for(*solver, {.gramian = gramian}, std::vector<std::size_t>{2}), Error);
}

}  // namespace
}  // namespace paretofl
