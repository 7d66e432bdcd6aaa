#include "paretofl/solvers/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/random.h"
#include "paretofl/solvers/imtl_g.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

// <d, u_k> over w_k, for every k.
std::vector<double> scaled_projections(const Gramian& g, const std::vector<double>& lambda, const std::vector<double>& w) {
  std::vector<double> result(lambda.size());
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    for (std::size_t j = 0; j < lambda.size(); ++j) result[k] += g(k, j) * lambda[j];
    result[k] /= std::sqrt(g(k, k)) * w[k];
  }
  return result;
}

TEST(ConFig, CosinesAreAsPreferred) {
  int with_negative = 0;
  for (int index = 0; index < 300; ++index) {
    Random draws({static_cast<std::uint64_t>(index), 0, 0}, "preference");
    const std::size_t objectives = 2 + draws.below(12);
    const Gramian g = gramian_of(normal_rows(index, objectives, objectives + 3), objectives);
    std::vector<double> w(objectives);
    for (double& value : w) value = draws.uniform(0.2, 5);
    const std::vector<double> ones(objectives, 1.0);
    const WeightSolution preferred = ConFig({}).solve({.gramian = g, .preference = w});
    const WeightSolution equal = ImtlG({}).solve({.gramian = g});
    for (const auto& projections :
         {scaled_projections(g, preferred.objective_weights, w), scaled_projections(g, equal.objective_weights, ones)}) {
      ASSERT_GT(projections[0], 0) << index;
      for (const double value : projections) EXPECT_NEAR(value / projections[0], 1, 1e-7) << index;
    }
    EXPECT_LE(equal.kkt_residual, 1e-9);
    if (*std::min_element(equal.objective_weights.begin(), equal.objective_weights.end()) < 0) ++with_negative;
    EXPECT_THAT(ConFig({}).solve({.gramian = g}).objective_weights, Pointwise(DoubleNear(1e-12), equal.objective_weights));
  }
  EXPECT_GT(with_negative, 30);
}

TEST(ConFig, GoldenValues) {
  // Two gradients: the bisector, whatever the angle.
  for (const double cosine : {-0.9, 0.0, 0.9}) {
    EXPECT_THAT(ImtlG({}).solve({.gramian = Gramian(2, {1, 3 * cosine, 3 * cosine, 9})}).objective_weights,
                ElementsAre(DoubleNear(0.75, 1e-12), DoubleNear(0.25, 1e-12)));
  }
  // The third lies between the others: R b = 1 for b = (15, 15, -20).
  const Gramian between(3, {1, 0, 0.7, 0, 1, 0.7, 0.7, 0.7, 1});
  EXPECT_THAT(ImtlG({}).solve({.gramian = between}).objective_weights,
              ElementsAre(DoubleNear(0.3, 1e-12), DoubleNear(0.3, 1e-12), DoubleNear(-0.4, 1e-12)));
  // R b = (1, 2) for R = [[1, 1/2], [1/2, 1]]: b = (0, 2).
  const std::vector<double> preference = {1, 2};
  EXPECT_THAT(ConFig({}).solve({.gramian = Gramian(2, {1, 0.5, 0.5, 1}), .preference = preference}).objective_weights,
              ElementsAre(DoubleNear(0, 1e-12), DoubleNear(1, 1e-12)));
  // The gradients (-4, 1, 1) and (6, 1, 1), whose IMTL-G direction is (0.0767, 1, 1).
  EXPECT_THAT(ImtlG({}).solve({.gramian = Gramian(2, {18, -22, -22, 38})}).objective_weights,
              ElementsAre(DoubleNear(0.59233, 1e-5), DoubleNear(0.40767, 1e-5)));
}

// With a short gradient between long ones the weights would sum to less than 0: no reason to ascend.
TEST(ConFig, NeverTurnsRound) {
  const Gramian between(3, {100, 0, 7, 0, 100, 7, 7, 7, 1});
  const std::vector<double> lambda = ImtlG({}).solve({.gramian = between}).objective_weights;
  EXPECT_LT(lambda[0] + lambda[1] + lambda[2], 0);
  EXPECT_THAT(scaled_projections(between, lambda, {1, 1, 1}), testing::Each(testing::Gt(0)));
}

TEST(ConFig, AZeroGradientHasNoSay) {
  EXPECT_THAT(ImtlG({}).solve({.gramian = Gramian(3, {1, 0, 0, 0, 0, 0, 0, 0, 9})}).objective_weights,
              ElementsAre(DoubleNear(0.75, 1e-12), 0, DoubleNear(0.25, 1e-12)));
  // Nor where the others cancel.
  const Gramian opposed(3, {1, -3, 0, -3, 9, 0, 0, 0, 0});
  for (const WeightSolution& solution : {ImtlG({}).solve({.gramian = opposed}), ConFig({}).solve({.gramian = opposed})}) {
    EXPECT_THAT(solution.objective_weights, ElementsAre(DoubleNear(0.75, 1e-12), DoubleNear(0.25, 1e-12), 0));
  }
}

}  // namespace
}  // namespace paretofl
