#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

Gramian random_gramian(std::uint64_t index) {
  Random random({index, 0, 0}, "gramian");
  const std::size_t objectives = 1 + random.below(12);
  const std::size_t columns = 1 + random.below(24);
  std::vector<float> jacobian(objectives * columns);
  const double scale = std::pow(10, random.uniform(-6, 6));
  for (float& value : jacobian) value = static_cast<float>(scale * random.normal());
  return gramian_of_rows(jacobian, objectives);
}

std::vector<double> random_weights(std::uint64_t index, std::size_t objectives) {
  return Random({index, 1, 0}, "weights").dirichlet(std::vector<double>(objectives, 1.0));
}

/// Some solvers need them.
std::span<const double> losses(const Gramian& gramian) {
  static const std::vector<double> kLosses = {0.7, 2.5, 0.1, 1.0, 1.3, 0.4, 3.0, 0.9, 1.1, 0.2, 0.6, 1.9};
  return std::span(kLosses).first(gramian.objectives());
}

// Those that say that weights may be negative.
const std::set<std::string> kSigned = {"imtl_g", "config", "aligned_mtl"};

// What every registered solver owes its callers.
class SolverConformance : public testing::TestWithParam<std::string> {
 protected:
  WeightSolution solve(const Gramian& gramian, std::span<const double> previous = {}, std::span<const double> preference = {}) const {
    return solver_->solve({.gramian = gramian, .losses = losses(gramian), .previous = previous, .preference = preference});
  }

  void expect_in_contract(const WeightSolution& solution, const Gramian& gramian) const {
    ASSERT_EQ(solution.objective_weights.size(), gramian.objectives());
    double sum = 0;
    for (const double value : solution.objective_weights) {
      if (!kSigned.contains(GetParam())) {
        ASSERT_GE(value, 0);
      }
      sum += std::abs(value);
    }
    ASSERT_NEAR(sum, 1, 1e-12);
    ASSERT_GE(solution.kkt_residual, 0);
    ASSERT_LE(solution.kkt_residual, 1);
    ASSERT_GE(solution.iterations, 0);
  }

  const std::unique_ptr<WeightSolver> solver_ = make_solver({GetParam(), {}});
};

TEST_P(SolverConformance, WeightsSumToOne) {
  for (std::uint64_t index = 0; index < 200; ++index) {
    const Gramian gramian = random_gramian(index);
    const std::vector<double> previous = random_weights(index, gramian.objectives());
    expect_in_contract(solve(gramian), gramian);
    expect_in_contract(solve(gramian, previous), gramian);
    expect_in_contract(solve(gramian, {}, previous), gramian);
    if (HasFatalFailure()) FAIL() << index;
  }
}

TEST_P(SolverConformance, SolvesDegenerateGramians) {
  const Gramian opposed(2, {1e24, -1e12, -1e12, 1});
  const Gramian equal(3, std::vector<double>(9, 2.0));
  const Gramian one_zero(3, {1, 0, 0.5, 0, 0, 0, 0.5, 0, 4});
  const Gramian indefinite(2, {1, 5, 5, 1});
  const Gramian opposed_indefinite(3, {1, -1.1, -1, -1.1, 1, -1, -1, -1, 1});
  const Gramian no_diagonal(2, {0, 1, 1, 0});
  const Gramian tiny(2, {1e-310, -1e-310, -1e-310, 4e-310});
  const Gramian huge(2, {1e308, 1e307, 1e307, 1e308});
  const Gramian apart(3, {1e300, 1e100, 0, 1e100, 1, -1e-150, 0, -1e-150, 1e-300});
  for (const Gramian& gramian : {Gramian(1), Gramian(1, {3.0}), Gramian(2), Gramian(5), opposed, equal, one_zero, indefinite,
                                 opposed_indefinite, no_diagonal, tiny, huge, apart}) {
    expect_in_contract(solve(gramian), gramian);
    if (HasFatalFailure()) FAIL() << fmt::format("{}", fmt::join(gramian.values(), ", "));
  }
}

// An estimate may be indefinite by as much as its noise.
TEST_P(SolverConformance, SolvesNoisyEstimates) {
  for (std::uint64_t index = 0; index < 200; ++index) {
    Random random({index, 0, 0}, "noise");
    Gramian gramian = random_gramian(index);
    const double noise = std::pow(10, random.uniform(-14, 0));
    for (std::size_t i = 0; i < gramian.objectives(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        gramian(i, j) = gramian(j, i) = gramian(i, j) + noise * std::sqrt(gramian(i, i) * gramian(j, j)) * random.normal();
      }
    }
    expect_in_contract(solve(gramian), gramian);
    if (HasFatalFailure()) FAIL() << index;
  }
}

TEST_P(SolverConformance, IsDeterministicAndStateless) {
  const std::unique_ptr<WeightSolver> fresh = make_solver({GetParam(), {}});
  for (std::uint64_t index = 0; index < 20; ++index) {
    const Gramian gramian = random_gramian(index);
    const WeightProblem problem{.gramian = gramian, .losses = losses(gramian)};
    const WeightSolution first = solver_->solve(problem);
    solve(random_gramian(index + 1000));
    for (const WeightSolution& again : {solver_->solve(problem), fresh->solve(problem)}) {
      EXPECT_EQ(again.objective_weights, first.objective_weights);
      EXPECT_EQ(again.kkt_residual, first.kkt_residual);
      EXPECT_EQ(again.iterations, first.iterations);
    }
  }
}

TEST_P(SolverConformance, APreferenceChangesTheWeightsIfItIsRead) {
  const Gramian gramian = gramian_of_rows(std::vector<float>{3, 0, 1, -1, 2, 0.5F, 0.5F, -1, 1}, 3);
  const std::vector<double> previous = {0.2, 0.3, 0.5};
  const std::vector<std::vector<double>> preferences = {{1, 2, 4}, {1, 100, 1}, {100, 1, 100}};  // a linear program has few solutions
  const auto with = [&](std::span<const double> preference) { return solve(gramian, previous, preference).objective_weights; };
  const bool changes = std::any_of(preferences.begin(), preferences.end(), [&](const auto& one) { return with(one) != with({}); });
  EXPECT_EQ(changes, solver_->reads_preference());
}

TEST_P(SolverConformance, PreviousWeightsChangeTheWeightsIfTheyAreRead) {
  const Gramian gramian = gramian_of_rows(std::vector<float>{3, 0, 1, -1, 2, 0.5F, 0.5F, -1, 1}, 3);
  const std::span<const double> now = losses(gramian);
  const auto after = [&](const std::vector<double>& previous) {
    return solver_->solve({.gramian = gramian, .losses = now, .previous = previous, .previous_losses = now}).objective_weights;
  };
  EXPECT_EQ(after({0.2, 0.3, 0.5}) != after({0.8, 0.15, 0.05}), solver_->reads_previous());
}

TEST_P(SolverConformance, TheScaleOfTheGramianChangesTheWeightsIfItIsRead) {
  const std::vector<float> rows{3, 0, 1, -1, 2, 0.5F, 0.5F, -1, 1};
  std::vector<float> smaller;
  for (const float x : rows) smaller.push_back(x / 16);
  const std::vector<double> previous = {0.2, 0.3, 0.5};
  const auto with = [&](std::span<const float> jacobian) { return solve(gramian_of_rows(jacobian, 3), previous).objective_weights; };
  const std::vector<double> expected = with(rows);
  const std::vector<double> found = with(smaller);
  bool changes = false;
  for (std::size_t k = 0; k < 3; ++k) changes = changes || std::abs(found[k] - expected[k]) > 1e-9;
  EXPECT_EQ(changes, solver_->reads_scale());
}

TEST_P(SolverConformance, RejectsBadProblems) {
  const double nan = std::nan("");
  const Gramian good(2, {1, 0, 0, 4});
  const auto solving = [&](const WeightProblem& problem) { return [this, problem] { solver_->solve(problem); }; };
  const auto fails_with = [](const std::string& text) { return ThrowsMessage<Error>(HasSubstr(text)); };
  for (const double bad : {nan, kInfinity, -kInfinity}) {
    Gramian gramian = good;
    gramian(0, 0) = bad;
    EXPECT_THAT(solving({.gramian = gramian}), fails_with("expected finite entries"));
    const std::vector<double> values = {bad, 1};
    EXPECT_THAT(solving({.gramian = good, .losses = values}), fails_with("losses: expected finite"));
    EXPECT_THAT(solving({.gramian = good, .previous = values}), fails_with("previous: expected finite"));
    EXPECT_THAT(solving({.gramian = good, .preference = values}), fails_with("preference: expected finite"));
  }
  Gramian asymmetric = good;
  asymmetric(0, 1) = 1;
  EXPECT_THAT(solving({.gramian = asymmetric}), fails_with("expected a symmetric matrix"));
  Gramian negative = good;
  negative(0, 0) = -1;
  EXPECT_THAT(solving({.gramian = negative}), fails_with("expected a non-negative diagonal"));
  const Gramian none(0);
  EXPECT_THAT(solving({.gramian = none}), fails_with("expected at least one objective"));
  const std::vector<double> three = {1, 1, 1};
  EXPECT_THAT(solving({.gramian = good, .losses = three}), fails_with("losses: expected 2 values"));
  EXPECT_THAT(solving({.gramian = good, .previous = three}), fails_with("previous: expected 2 values"));
  EXPECT_THAT(solving({.gramian = good, .preference = three}), fails_with("preference: expected 2 values"));
  const std::vector<double> zero = {0, 1};
  EXPECT_THAT(solving({.gramian = good, .preference = zero}), fails_with("preference: expected positive"));
  const std::vector<double> off = {0.7, 0.7};
  EXPECT_THAT(solving({.gramian = good, .previous = off}), fails_with("sum to 1"));
  const std::vector<double> below = {-0.5, 1.5};
  EXPECT_THAT(solving({.gramian = good, .previous = below}), fails_with("sum to 1"));
  EXPECT_THAT(solving({.gramian = good, .previous_losses = three}), fails_with("previous_losses: expected 2 values"));
  EXPECT_THAT(solving({.gramian = good, .two_sample_products = three}), fails_with("two_sample_products: expected 4 values"));
  EXPECT_THAT(solving({.gramian = good, .step = 0}), fails_with("step: expected at least 1"));
}

TEST_P(SolverConformance, DescribesItsOptions) {
  const RegistryEntry& entry = solvers().entry(GetParam());
  EXPECT_FALSE(entry.summary.empty());
  EXPECT_FALSE(entry.reference.empty());
  OptionLister lister;
  entry.describe(lister);
  for (const OptionDoc& doc : lister.docs()) EXPECT_FALSE(doc.meaning.empty()) << doc.key;

  // The defaults, written out, give the same solver.
  const Settings none;
  OptionReader reader(none, "solver");
  entry.describe(reader);
  const std::unique_ptr<WeightSolver> spelled = make_solver({GetParam(), reader.resolved()});
  const Gramian gramian = random_gramian(5);
  const WeightProblem problem{.gramian = gramian, .losses = losses(gramian)};
  EXPECT_EQ(spelled->solve(problem).objective_weights, solver_->solve(problem).objective_weights);

  Settings unknown;
  unknown.values.emplace("no_such_option", 1.0);
  EXPECT_THROW(make_solver({GetParam(), unknown}), Error);
}

TEST_P(SolverConformance, SurvivesJson) {
  for (std::uint64_t index = 0; index < 20; ++index) {
    const Gramian gramian = random_gramian(index);
    const std::vector<double> values(gramian.values().begin(), gramian.values().end());
    const std::string text = nlohmann::json(values).dump();
    const Gramian reread(gramian.objectives(), nlohmann::json::parse(text).get<std::vector<double>>());
    const std::vector<double> lambda = solve(gramian).objective_weights;
    EXPECT_EQ(solve(reread).objective_weights, lambda);
    EXPECT_EQ(nlohmann::json::parse(nlohmann::json(lambda).dump()).get<std::vector<double>>(), lambda);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const RegistryEntry* entry : solvers().entries()) list.push_back(entry->name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Registered, SolverConformance, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

TEST(SolverRegistry, NamesTheKnownSolvers) {
  EXPECT_THAT(
      [] {
        make_solver({"min_nrom", {}});
      },
      ThrowsMessage<Error>(AllOf(HasSubstr("expected one of fixed, "), HasSubstr(", min_norm, "), HasSubstr("; found 'min_nrom'"))));
}

}  // namespace
}  // namespace paretofl
