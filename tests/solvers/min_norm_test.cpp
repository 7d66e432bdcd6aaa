#include "paretofl/solvers/min_norm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/core/random.h"
#include "paretofl/optimization/kkt_residual.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> solve_min_norm(const Gramian& gramian) { return MinNorm({}).solve({.gramian = gramian}).objective_weights; }

double value(const Gramian& q, const std::vector<double>& lambda) {
  double result = 0;
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    for (std::size_t j = 0; j < lambda.size(); ++j) result += lambda[i] * q(i, j) * lambda[j];
  }
  return result;
}

TEST(MinNorm, PairsMatchTheClosedForm) {
  for (int index = 0; index < 1000; ++index) {
    const Gramian q = gramian_of(normal_rows(index, 2, 3), 2);
    const double first = std::clamp((q(1, 1) - q(0, 1)) / (q(0, 0) + q(1, 1) - 2 * q(0, 1)), 0.0, 1.0);
    const std::vector<double> lambda = solve_min_norm(q);
    EXPECT_NEAR(lambda[0], first, 1e-12);
    EXPECT_NEAR(lambda[1], 1 - first, 1e-12);
  }
}

TEST(MinNorm, NoPointOfAGridIsBetter) {
  constexpr int kCells = 60;
  for (int index = 0; index < 200; ++index) {
    const Gramian q = gramian_of(normal_rows(index, 3, 1 + index % 4), 3);
    const double least = value(q, solve_min_norm(q));
    double grid_least = std::numeric_limits<double>::infinity();
    for (int a = 0; a <= kCells; ++a) {
      for (int b = 0; a + b <= kCells; ++b) {
        const double x = static_cast<double>(a) / kCells;
        const double y = static_cast<double>(b) / kCells;
        grid_least = std::min(grid_least, value(q, {x, y, 1 - x - y}));
      }
    }
    EXPECT_LE(least, grid_least + 1e-12 * q.trace());
    EXPECT_GE(least, grid_least - 0.1 * q.trace());
  }
}

TEST(MinNorm, IsEquivariantToPermutations) {
  for (int index = 0; index < 300; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 0, 0}, "permutation");
    const std::size_t objectives = 2 + draws.below(15);
    const Gramian q = gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
    std::vector<std::size_t> order = draws.sample_without_replacement(objectives, objectives);
    Gramian permuted(objectives);
    for (std::size_t i = 0; i < objectives; ++i) {
      for (std::size_t j = 0; j < objectives; ++j) permuted(i, j) = q(order[i], order[j]);
    }
    const std::vector<double> lambda = solve_min_norm(q);
    const std::vector<double> moved = solve_min_norm(permuted);
    for (std::size_t i = 0; i < objectives; ++i) EXPECT_NEAR(moved[i], lambda[order[i]], 1e-12);
  }
}

TEST(MinNorm, IsInvariantToTheScaleOfAllGradients) {
  for (int index = 0; index < 300; ++index) {
    const std::size_t objectives = 2 + index % 10;
    const Gramian q = gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
    Gramian scaled = q;
    for (std::size_t i = 0; i < objectives; ++i) {
      for (std::size_t j = 0; j < objectives; ++j) scaled(i, j) *= 3e-7;
    }
    EXPECT_THAT(solve_min_norm(scaled), Pointwise(DoubleNear(1e-12), solve_min_norm(q)));
    for (std::size_t i = 0; i < objectives; ++i) {
      for (std::size_t j = 0; j < objectives; ++j) scaled(i, j) = q(i, j) * 0x1p-60;
    }
    EXPECT_EQ(solve_min_norm(scaled), solve_min_norm(q));
  }
}

TEST(MinNorm, GoldenValues) {
  EXPECT_THAT(solve_min_norm(Gramian(1, {7})), ElementsAre(1));
  EXPECT_THAT(solve_min_norm(Gramian(2, {4, 1, 1, 2})), ElementsAre(0.25, 0.75));
  EXPECT_THAT(solve_min_norm(Gramian(2, {1, 2, 2, 9})), ElementsAre(1, 0));  // one gradient within the other's shadow
  EXPECT_THAT(solve_min_norm(Gramian(3, {1, 0, 0, 0, 2, 0, 0, 0, 4})),
              ElementsAre(DoubleNear(4.0 / 7, 1e-15), DoubleNear(2.0 / 7, 1e-15), DoubleNear(1.0 / 7, 1e-15)));
  // Three unit gradients 120 degrees apart: Pareto stationary.
  const double third = 1.0 / 3;
  EXPECT_THAT(solve_min_norm(Gramian(3, {1, -0.5, -0.5, -0.5, 1, -0.5, -0.5, -0.5, 1})),
              ElementsAre(DoubleNear(third, 1e-15), DoubleNear(third, 1e-15), DoubleNear(third, 1e-15)));
  // Two large opposite gradients cancel although a small one would be at hand.
  EXPECT_THAT(solve_min_norm(Gramian(3, {1e24, -1e24, 0, -1e24, 1e24, 0, 0, 0, 1})), ElementsAre(0.5, 0.5, 0));
}

TEST(MinNorm, ZeroAndDuplicatedGradients) {
  EXPECT_THAT(solve_min_norm(Gramian(2)), ElementsAre(0.5, 0.5));
  EXPECT_THAT(solve_min_norm(Gramian(4)), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(solve_min_norm(Gramian(3, {5, 0, 1, 0, 0, 0, 1, 0, 3})), ElementsAre(0, 1, 0));
  EXPECT_THAT(solve_min_norm(Gramian(2, {5, 5, 5, 5})), ElementsAre(0.5, 0.5));
  const std::vector<double> lambda = solve_min_norm(Gramian(3, {2, 2, 0, 2, 2, 0, 0, 0, 2}));
  EXPECT_DOUBLE_EQ(lambda[0] + lambda[1], 0.5);
}

TEST(MinNorm, GradientsOfExtremeScales) {
  // Squared norms from the smallest to the largest doubles.
  for (const std::vector<double>& squares : {std::vector<double>{1e300, 1e-300, 1}, {1e308, 1e308, 1e308}, {1e-310, 1e-310, 1e-310}}) {
    Gramian q(3);
    for (std::size_t i = 0; i < 3; ++i) q(i, i) = squares[i];
    const WeightSolution solution = MinNorm({}).solve({.gramian = q});
    EXPECT_LE(solution.kkt_residual, 1e-10);
    EXPECT_TRUE(std::isfinite(solution.objective_weights[0]));
  }
  const std::vector<double> lambda = solve_min_norm(Gramian(2, {1e24, -0.5e12, -0.5e12, 1}));
  EXPECT_NEAR(lambda[0] / 0.5e-12, 1, 1e-9);
}

// An estimate of a Gramian may be indefinite: the answer is then of a matrix near it, and the residual
// says how near.
TEST(MinNorm, EndsOnIndefiniteMatrices) {
  for (int index = 0; index < 2000; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 0, 0}, "indefinite");
    const std::size_t objectives = 2 + draws.below(40);
    const double noise = std::pow(10, draws.uniform(-14, 1));
    Gramian q = gramian_of(normal_rows(index, objectives, 1 + draws.below(objectives)), objectives);
    for (std::size_t i = 0; i < objectives; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        q(i, j) = q(j, i) = q(i, j) + noise * std::sqrt(q(i, i) * q(j, j)) * draws.normal();
      }
    }
    const WeightSolution solution = MinNorm({}).solve({.gramian = q});
    double sum = 0;
    for (const double value : solution.objective_weights) {
      ASSERT_GE(value, 0);
      sum += value;
    }
    ASSERT_NEAR(sum, 1, 1e-12);
    ASSERT_LE(solution.kkt_residual, 1);
    ASSERT_LE(solution.kkt_residual, std::max(1e-10, 1000 * noise));
  }
  EXPECT_THAT(solve_min_norm(Gramian(2, {1, 5, 5, 1})), ElementsAre(1, 0));
  EXPECT_THAT(solve_min_norm(Gramian(2, {0, 1, 1, 0})), ElementsAre(1, 0));
}

}  // namespace
}  // namespace paretofl
