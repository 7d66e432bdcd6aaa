#include "paretofl/solvers/fairgrad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/random.h"
#include "paretofl/solvers/nash_mtl.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> gains(const Gramian& g, const std::vector<double>& lambda) {
  std::vector<double> result(lambda.size());
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    for (std::size_t j = 0; j < lambda.size(); ++j) result[i] += g(i, j) * lambda[j];
  }
  return result;
}

// G w = (p / w)^(1 / alpha) up to a factor, since w is scaled: the factor is that of the largest cosine.
void expect_fair(const Gramian& g, const std::vector<double>& lambda, const std::vector<double>& p, double alpha) {
  const std::vector<double> gain = gains(g, lambda);
  std::vector<double> wanted(gain.size());
  double longest = 0;
  std::size_t best = 0;
  for (std::size_t k = 0; k < gain.size(); ++k) {
    ASSERT_GT(lambda[k], 0);
    wanted[k] = std::pow(p[k] / lambda[k], 1 / alpha);
    longest += lambda[k] * std::sqrt(g(k, k));
    if (gain[k] / std::sqrt(g(k, k)) > gain[best] / std::sqrt(g(best, best))) best = k;
  }
  const double factor = gain[best] / wanted[best];
  for (std::size_t k = 0; k < gain.size(); ++k) EXPECT_NEAR(gain[k], factor * wanted[k], 1e-9 * longest * std::sqrt(g(k, k)));
}

TEST(FairGrad, SolvesItsEquation) {
  for (int index = 0; index < 300; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 0, 0}, "fairness");
    const std::size_t objectives = 2 + draws.below(20);
    std::vector<double> rows = normal_rows(index, objectives, 2 * objectives);
    for (std::size_t i = 0; i < objectives; ++i) {
      const double scale = std::pow(10, draws.uniform(-0.5, 0.5));
      for (std::size_t k = 0; k < 2 * objectives; ++k) rows[i * 2 * objectives + k] *= scale;
    }
    const Gramian g = gramian_of(rows, objectives);
    std::vector<double> p(objectives);
    for (double& value : p) value = draws.uniform(0.2, 5);
    for (const double alpha : {0.2, 0.5, 1.0, 2.0, 5.0}) {
      const WeightSolution solution = FairGrad({.alpha = alpha}).solve({.gramian = g, .preference = p});
      EXPECT_LE(solution.kkt_residual, 1e-10) << index << " " << alpha;
      EXPECT_LE(solution.iterations, 60) << index << " " << alpha;
      expect_fair(g, solution.objective_weights, p, alpha);
    }
    expect_fair(g, NashMtl({}).solve({.gramian = g, .preference = p}).objective_weights, p, 1);
  }
}

TEST(FairGrad, OfOneIsNashMtl) {
  for (int index = 0; index < 50; ++index) {
    const std::size_t objectives = 2 + index % 12;
    const Gramian g = gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
    EXPECT_THAT(FairGrad({.alpha = 1}).solve({.gramian = g}).objective_weights,
                Pointwise(DoubleNear(1e-12), NashMtl({}).solve({.gramian = g}).objective_weights));
  }
}

// No direction of the same length has a larger utility.
TEST(FairGrad, NoNeighbourIsFairer) {
  for (int index = 0; index < 100; ++index) {
    const std::size_t objectives = 2 + index % 4;
    const Gramian g = gramian_of(normal_rows(index, objectives, 2 * objectives), objectives);
    for (const double alpha : {0.5, 1.0, 2.0}) {
      const auto utility = [&](const std::vector<double>& weights) {
        const std::vector<double> gain = gains(g, weights);
        double square = 0;
        for (std::size_t k = 0; k < objectives; ++k) square += weights[k] * gain[k];
        double sum = 0;
        for (const double value : gain) {
          const double scaled = value / std::sqrt(square);
          if (scaled <= 0) return -kInfinity;
          sum += alpha == 1 ? std::log(scaled) : std::pow(scaled, 1 - alpha) / (1 - alpha);
        }
        return sum;
      };
      const std::vector<double> lambda = FairGrad({.alpha = alpha}).solve({.gramian = g}).objective_weights;
      const double best = utility(lambda);
      ASSERT_TRUE(std::isfinite(best));
      for (std::size_t k = 0; k < objectives; ++k) {
        for (const double factor : {0.5, 0.99, 1.01, 2.0}) {
          std::vector<double> other = lambda;
          other[k] *= factor;
          EXPECT_LE(utility(other), best + 1e-12 * std::abs(best));
        }
      }
    }
  }
}

TEST(FairGrad, FairnessRunsFromTheMeanToTheSmallestGain) {
  const Gramian g = gramian_of(normal_rows(3, 5, 20), 5);
  const auto spread = [&](double alpha) {
    const std::vector<double> gain = gains(g, FairGrad({.alpha = alpha}).solve({.gramian = g}).objective_weights);
    return *std::max_element(gain.begin(), gain.end()) / *std::min_element(gain.begin(), gain.end());
  };
  EXPECT_GT(spread(0.1), spread(1));
  EXPECT_GT(spread(1), spread(10));
  EXPECT_LT(spread(10), 1.2);
}

TEST(FairGrad, GoldenValues) {
  // Orthogonal gradients: w = (n^2)^(-alpha / (1 + alpha)).
  EXPECT_THAT(FairGrad({.alpha = 2}).solve({.gramian = Gramian(2, {1, 0, 0, 8})}).objective_weights,
              ElementsAre(DoubleNear(0.8, 1e-12), DoubleNear(0.2, 1e-12)));
  EXPECT_THAT(NashMtl({}).solve({.gramian = Gramian(2, {1, 0, 0, 4})}).objective_weights,
              ElementsAre(DoubleNear(2.0 / 3, 1e-12), DoubleNear(1.0 / 3, 1e-12)));
  // alpha (4 alpha + beta) = beta (alpha + beta): beta = 2 alpha.
  EXPECT_THAT(NashMtl({}).solve({.gramian = Gramian(2, {4, 1, 1, 1})}).objective_weights,
              ElementsAre(DoubleNear(1.0 / 3, 1e-12), DoubleNear(2.0 / 3, 1e-12)));
  // Orthogonal unit gradients by preference: alpha = sqrt(p).
  const std::vector<double> preference = {4, 1};
  EXPECT_THAT(NashMtl({}).solve({.gramian = Gramian(2, {1, 0, 0, 1}), .preference = preference}).objective_weights,
              ElementsAre(DoubleNear(2.0 / 3, 1e-12), DoubleNear(1.0 / 3, 1e-12)));
  // A zero gradient has no say.
  EXPECT_THAT(NashMtl({}).solve({.gramian = Gramian(3, {1, 0, 0, 0, 0, 0, 0, 0, 4})}).objective_weights,
              ElementsAre(DoubleNear(2.0 / 3, 1e-12), 0, DoubleNear(1.0 / 3, 1e-12)));
}

// Singular or with gradients 1e12 apart: the bargaining solution always, other fairness nearly always.
TEST(FairGrad, OnEveryKindOfGramian) {
  int unsolved = 0;
  for (int index = 0; index < 300; ++index) {
    const RandomGramian random = random_gramian(index);
    EXPECT_LE(NashMtl({}).solve({.gramian = random.gramian}).kkt_residual, 1e-9) << random.description;
    for (const double alpha : {0.5, 2.0}) {
      const WeightSolution solution = FairGrad({.alpha = alpha}).solve({.gramian = random.gramian});
      EXPECT_LE(solution.iterations, 200);
      EXPECT_LE(solution.kkt_residual, 1e-2) << random.description;
      if (solution.kkt_residual > 1e-9) ++unsolved;
      for (const double weight : solution.objective_weights) ASSERT_TRUE(weight >= 0 && weight <= 1) << random.description;
    }
  }
  EXPECT_LE(unsolved, 3);
}

}  // namespace
}  // namespace paretofl
