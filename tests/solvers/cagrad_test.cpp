#include "paretofl/solvers/cagrad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/solvers/min_norm.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

double product(const Gramian& g, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) sum += a[i] * g(i, j) * b[j];
  }
  return sum;
}

// The dual's objective <g_w, g_0> + c ||g_0|| ||g_w||.
double dual(const Gramian& g, const std::vector<double>& p, double c, const std::vector<double>& w) {
  return product(g, w, p) + c * std::sqrt(product(g, p, p) * std::max(0.0, product(g, w, w)));
}

// The primal's: the worst gain of the best point along lambda's direction within the ball about g_0.
double primal(const Gramian& g, const std::vector<double>& p, double c, const std::vector<double>& lambda) {
  const double square = product(g, lambda, lambda);
  const double along = product(g, lambda, p);
  const double mean = product(g, p, p);
  const double room = std::sqrt(std::max(0.0, along * along - square * mean * (1 - c * c)));
  double worst = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < p.size(); ++k) {
    std::vector<double> unit(p.size());
    unit[k] = 1;
    worst = std::min(worst, product(g, unit, lambda));
  }
  return std::max(worst * (along + room) / square, worst * (along - room) / square);
}

// Strong duality: the direction is right if its worst gain is the least value of the dual.
void expect_duality(const Gramian& g, double c, const std::vector<double>& preference, double least_of_grid, double resolution) {
  const WeightSolution solution = CaGrad({.c = c}).solve({.gramian = g, .preference = preference});
  const double gain = primal(g, preference, c, solution.objective_weights);
  EXPECT_LE(gain, least_of_grid + 1e-9 * g.trace());
  EXPECT_GE(gain, least_of_grid - resolution * g.trace());
  EXPECT_LE(solution.kkt_residual, 1e-8);
}

TEST(CaGrad, SolvesThePairsDual) {
  constexpr int kCells = 4000;
  for (int index = 0; index < 100; ++index) {
    const Gramian g = gramian_of(normal_rows(index, 2, 2 + index % 3), 2);
    const std::vector<double> p = index % 2 == 0 ? std::vector{0.5, 0.5} : std::vector{0.2, 0.8};
    for (const double c : {0.1, 0.5, 0.9}) {
      double least = std::numeric_limits<double>::infinity();
      for (int cell = 0; cell <= kCells; ++cell) {
        const double x = static_cast<double>(cell) / kCells;
        least = std::min(least, dual(g, p, c, {x, 1 - x}));
      }
      expect_duality(g, c, p, least, 1e-5);
    }
  }
}

TEST(CaGrad, SolvesTheDualOfThree) {
  constexpr int kCells = 120;
  for (int index = 0; index < 60; ++index) {
    const Gramian g = gramian_of(normal_rows(index, 3, 3), 3);
    const std::vector<double> p(3, 1.0 / 3);
    for (const double c : {0.3, 0.7}) {
      double least = std::numeric_limits<double>::infinity();
      for (int a = 0; a <= kCells; ++a) {
        for (int b = 0; a + b <= kCells; ++b) {
          const double x = static_cast<double>(a) / kCells;
          const double y = static_cast<double>(b) / kCells;
          least = std::min(least, dual(g, p, c, {x, y, 1 - x - y}));
        }
      }
      expect_duality(g, c, p, least, 1e-2);
    }
  }
}

TEST(CaGrad, WithoutARadiusIsTheMeanAndWithAnEndlessOneMinNorm) {
  for (int index = 0; index < 50; ++index) {
    const std::size_t objectives = 2 + index % 6;
    const Gramian g = gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
    EXPECT_THAT(CaGrad({.c = 0}).solve({.gramian = g}).objective_weights,
                testing::Each(DoubleNear(1 / static_cast<double>(objectives), 1e-15)));
    EXPECT_THAT(CaGrad({.c = 1e6}).solve({.gramian = g}).objective_weights,
                Pointwise(DoubleNear(1e-4), MinNorm({}).solve({.gramian = g}).objective_weights));
  }
}

TEST(CaGrad, GoldenValues) {
  // The gradients (-4, 1, 1) and (6, 1, 1), whose direction for c = 1 / 2 is (0.1835, 1.2041, 1.2041).
  EXPECT_THAT(CaGrad({.c = 0.5}).solve({.gramian = Gramian(2, {18, -22, -22, 38})}).objective_weights,
              ElementsAre(DoubleNear(0.7041 / 1.2041, 1e-4), DoubleNear(0.5 / 1.2041, 1e-4)));
  // Gradients (1, 0) and (0, 2): g_0 = (1/2, 1), and w = (1, 0) since the first gains least. d = g_0 + ||g_0|| / 2 (1, 0).
  const double radius = 0.5 * std::sqrt(1.25);
  EXPECT_THAT(CaGrad({.c = 0.5}).solve({.gramian = Gramian(2, {1, 0, 0, 4})}).objective_weights,
              ElementsAre(DoubleNear((0.5 + radius) / (1 + radius), 1e-9), DoubleNear(0.5 / (1 + radius), 1e-9)));
}

// The worst gain of a pair of very different lengths is the short one's, which has all of w.
TEST(CaGrad, FindsTheDirectionOfAShortGradient) {
  for (const double length : {1e-3, 1e-5, 1e-7, 1e-9, 1e-12}) {
    const double cosine = -0.6;
    const Gramian g(2, {1, cosine * length, cosine * length, length * length});
    const WeightSolution solution = CaGrad({.c = 0.5}).solve({.gramian = g});
    const double t = length / (0.5 * std::sqrt(product(g, {0.5, 0.5}, {0.5, 0.5})));
    EXPECT_NEAR(solution.objective_weights[0] / (0.5 / (1 + 1 / t)), 1, 1e-6) << length;
    EXPECT_LE(solution.kkt_residual, 1e-8);
  }
}

TEST(CaGrad, AZeroGradientHasNoSayInTheWorstGain) {
  const std::vector<double> with = CaGrad({.c = 0.5}).solve({.gramian = Gramian(3, {1, 0, 0, 0, 4, 0, 0, 0, 0})}).objective_weights;
  // g_0 is a third of the sum, so half of the radius goes a third as far as in the pair's direction (0.5 + radius, 0.5).
  const double radius = 0.5 * std::sqrt(5.0) / 3;
  EXPECT_NEAR(with[0] / with[1], (1.0 / 3 + radius) / (1.0 / 3), 1e-9);
  EXPECT_NEAR(with[2], with[1], 1e-12) << "its share of the mean";
}

// Opposed gradients of different lengths: stationary, but the mean still descends.
TEST(CaGrad, GoesOnToTheMeansMinimumAlongTheParetoSet) {
  const Gramian g(2, {1, -2, -2, 4});
  const std::vector<double> half = {0.5, 0.5};
  const std::vector<double> lambda = CaGrad({.c = 0.5}).solve({.gramian = g}).objective_weights;
  EXPECT_GT(product(g, lambda, half), 0.01);
  const WeightSolution still = CaGrad({.c = 1.5}).solve({.gramian = g});
  EXPECT_NEAR(product(g, still.objective_weights, still.objective_weights), 0, 1e-9);
  EXPECT_LE(still.kkt_residual, 1e-8);
}

}  // namespace
}  // namespace paretofl
