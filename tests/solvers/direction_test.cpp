// Properties that several solvers share, of the direction sum_k lambda_k g_k.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/random.h"
#include "paretofl/solvers/weight_solver.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;
using ::testing::Values;
using ::testing::ValuesIn;

std::vector<double> solve_direction(const std::string& name, const Gramian& gramian, std::span<const double> preference = {}) {
  const std::vector<double> losses(gramian.objectives(), 1.0);
  return make_solver({name, {}})->solve({.gramian = gramian, .losses = losses, .preference = preference}).objective_weights;
}

Gramian independent(std::uint64_t index, std::size_t objectives) {
  return gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
}

// <g_k, d> for every k, relative to ||g_k|| times the largest ||d|| that lambda allows.
std::vector<double> relative_gains(const Gramian& gramian, const std::vector<double>& lambda) {
  double longest = 0;
  for (std::size_t j = 0; j < lambda.size(); ++j) longest += std::abs(lambda[j]) * std::sqrt(gramian(j, j));
  std::vector<double> gains(lambda.size());
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    for (std::size_t j = 0; j < lambda.size(); ++j) gains[k] += gramian(k, j) * lambda[j];
    if (gains[k] != 0) gains[k] /= std::sqrt(gramian(k, k)) * longest;
  }
  return gains;
}

Gramian rescaled(const Gramian& gramian, const std::vector<double>& factors) {
  Gramian result = gramian;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    for (std::size_t j = 0; j < factors.size(); ++j) result(i, j) *= factors[i] * factors[j];
  }
  return result;
}

class AnySolver : public testing::TestWithParam<std::string> {};

TEST_P(AnySolver, IsInvariantToTheScaleOfAllGradients) {
  if (make_solver({GetParam(), {}})->reads_scale()) return;
  for (int index = 0; index < 100; ++index) {
    const std::size_t objectives = 2 + index % 10;
    const Gramian gramian = independent(index, objectives);
    const std::vector<double> expected = solve_direction(GetParam(), gramian);
    for (const double factor : {3e-12, 7e12}) {
      const std::vector<double> lambda = solve_direction(GetParam(), rescaled(gramian, std::vector<double>(objectives, factor)));
      EXPECT_THAT(lambda, Pointwise(DoubleNear(1e-9), expected)) << index;
    }
  }
}

TEST_P(AnySolver, IsEquivariantToPermutations) {
  for (int index = 0; index < 100; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 0, 0}, "permutation");
    // PCGrad's mean over cyclic orders is one over all orders up to M = 3.
    const std::size_t objectives = 2 + draws.below(GetParam() == "pcgrad" ? 2 : 15);
    const Gramian gramian = independent(index, objectives);
    const std::vector<std::size_t> order = draws.sample_without_replacement(objectives, objectives);
    Gramian permuted(objectives);
    for (std::size_t i = 0; i < objectives; ++i) {
      for (std::size_t j = 0; j < objectives; ++j) permuted(i, j) = gramian(order[i], order[j]);
    }
    const std::vector<double> lambda = solve_direction(GetParam(), gramian);
    const std::vector<double> moved = solve_direction(GetParam(), permuted);
    for (std::size_t i = 0; i < objectives; ++i) EXPECT_NEAR(moved[i], lambda[order[i]], 1e-9) << index;
  }
}

TEST_P(AnySolver, OneObjectiveHasAllTheWeight) {
  for (const double square : {0.0, 1e-24, 5.0, 1e24})
    EXPECT_THAT(solve_direction(GetParam(), Gramian(1, {square})), testing::ElementsAre(1));
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const RegistryEntry* entry : solvers().entries()) list.push_back(entry->name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Registered, AnySolver, ValuesIn(names()), [](const auto& info) { return info.param; });

class ConflictFree : public testing::TestWithParam<std::string> {};

// No objective gets worse to first order, whatever the gradients: duplicated, dependent, of any scale. FairGrad
// may be left with a residual there.
TEST_P(ConflictFree, OnEveryKindOfGramian) {
  const std::unique_ptr<WeightSolver> solver = make_solver({GetParam(), {}});
  for (int index = 0; index < 500; ++index) {
    const RandomGramian random = random_gramian(index);
    const WeightSolution solution = solver->solve({.gramian = random.gramian});
    const double slack = GetParam() == "fairgrad" ? std::max(1e-9, solution.kkt_residual) : 1e-9;
    for (const double gain : relative_gains(random.gramian, solution.objective_weights)) ASSERT_GE(gain, -slack) << random.description;
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, ConflictFree, Values("min_norm", "upgrad", "dualproj", "nash_mtl", "fairgrad"),
                         [](const auto& info) { return info.param; });

class FreeOfEachScale : public testing::TestWithParam<std::string> {};

// The direction is the same: lambda_k ||g_k|| up to a common factor.
TEST_P(FreeOfEachScale, OfTheGradients) {
  for (int index = 0; index < 100; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 0, 0}, "scales");
    const std::size_t objectives = 2 + draws.below(8);
    const Gramian gramian = independent(index, objectives);
    std::vector<double> factors(objectives);
    for (double& factor : factors) factor = std::pow(10, draws.uniform(-6, 6));
    const std::vector<double> lambda = solve_direction(GetParam(), gramian);
    std::vector<double> other = solve_direction(GetParam(), rescaled(gramian, factors));
    double sum = 0;
    for (std::size_t k = 0; k < objectives; ++k) sum += std::abs(other[k] *= factors[k]);
    for (double& value : other) value /= sum;
    EXPECT_THAT(other, Pointwise(DoubleNear(1e-9), lambda)) << index;
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, FreeOfEachScale, Values("nash_mtl", "imtl_g", "config"), [](const auto& info) { return info.param; });

class ByPreference : public testing::TestWithParam<std::string> {};

TEST_P(ByPreference, TheScaleOfAPreferenceIsFreeAndItsDefaultUniform) {
  for (int index = 0; index < 50; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 0, 0}, "preference");
    const std::size_t objectives = 2 + draws.below(6);
    const Gramian gramian = independent(index, objectives);
    std::vector<double> preference(objectives, 7.0);
    EXPECT_THAT(solve_direction(GetParam(), gramian, preference), Pointwise(DoubleNear(1e-12), solve_direction(GetParam(), gramian)));
    for (double& value : preference) value = draws.uniform(0.1, 10);
    const std::vector<double> lambda = solve_direction(GetParam(), gramian, preference);
    for (double& value : preference) value *= 1e3;
    EXPECT_THAT(solve_direction(GetParam(), gramian, preference), Pointwise(DoubleNear(1e-9), lambda));
  }
}

// Among orthogonal gradients of one length, a preferred objective gets more weight.
TEST_P(ByPreference, ItCounts) {
  const Gramian gramian(3, {2, 0, 0, 0, 2, 0, 0, 0, 2});
  const std::vector<double> preference = {1, 2, 4};
  const std::vector<double> lambda = solve_direction(GetParam(), gramian, preference);
  if (GetParam() == "sdmgrad") return;  // its other part draws lambda the other way
  EXPECT_LE(lambda[0], lambda[1] + 1e-9);
  EXPECT_LT(lambda[1], lambda[2] - 0.01);
}

INSTANTIATE_TEST_SUITE_P(Solvers, ByPreference,
                         Values("linear", "smooth_tchebycheff", "cagrad", "sdmgrad", "upgrad", "dualproj", "nash_mtl", "fairgrad", "config",
                                "aligned_mtl"),
                         [](const auto& info) { return info.param; });

class Undisturbed : public testing::TestWithParam<std::string> {};

// Where no two gradients conflict there is nothing to resolve: all count alike.
TEST_P(Undisturbed, WithoutConflictTheWeightsAreUniform) {
  const Gramian gramian(3, {1, 0.5, 0, 0.5, 9, 2, 0, 2, 4});
  EXPECT_THAT(solve_direction(GetParam(), gramian), testing::Each(DoubleNear(1.0 / 3, 1e-15)));
}

INSTANTIATE_TEST_SUITE_P(Solvers, Undisturbed, Values("upgrad", "dualproj", "pcgrad", "linear"),
                         [](const auto& info) { return info.param; });

class AtStationarity : public testing::TestWithParam<std::string> {};

// Three unit gradients 120 degrees apart, and two opposite ones beside a third: nothing is left to gain.
TEST_P(AtStationarity, TheDirectionVanishes) {
  const Gramian star(3, {1, -0.5, -0.5, -0.5, 1, -0.5, -0.5, -0.5, 1});
  EXPECT_THAT(relative_gains(star, solve_direction(GetParam(), star)), testing::Each(DoubleNear(0, 1e-5)));
  const Gramian opposite(2, {1, -3, -3, 9});
  EXPECT_THAT(relative_gains(opposite, solve_direction(GetParam(), opposite)), testing::Each(DoubleNear(0, 1e-5)));
}

INSTANTIATE_TEST_SUITE_P(Solvers, AtStationarity,
                         Values("min_norm", "upgrad", "dualproj", "pcgrad", "nash_mtl", "fairgrad", "imtl_g", "config"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace paretofl
