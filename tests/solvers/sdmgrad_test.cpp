#include "paretofl/solvers/sdmgrad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/solvers/min_norm.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> solve_sdmgrad(const Gramian& gramian, SdmGrad::Options options, std::span<const double> previous = {}) {
  return SdmGrad(options).solve({.gramian = gramian, .previous = previous}).objective_weights;
}

TEST(SdmGrad, GoldenValues) {
  const Gramian gramian(2, {1, 0, 0, 3});
  // (1/2 - 1/8, 1/2 - 3/8), then up by 1/4 each.
  EXPECT_THAT(solve_sdmgrad(gramian, {.rho = 0, .steps = 1}), ElementsAre(DoubleNear(0.625, 1e-15), DoubleNear(0.375, 1e-15)));
  // The gradients plus their mean have the Gramian [[3, 3], [3, 7]]: w = (0.5 - 0.3, 0.5 - 0.5) + 0.4, drawn half way back.
  EXPECT_THAT(solve_sdmgrad(gramian, {.rho = 1, .steps = 1}), ElementsAre(DoubleNear(0.55, 1e-15), DoubleNear(0.45, 1e-15)));
}

TEST(SdmGrad, WithoutATargetManyStepsFindTheMinimumNorm) {
  for (int index = 0; index < 30; ++index) {
    const std::size_t objectives = 2 + index % 6;
    const Gramian g = gramian_of(normal_rows(index, objectives, 4 * objectives), objectives);
    EXPECT_THAT(solve_sdmgrad(g, {.rho = 0, .steps = 20000}),
                Pointwise(DoubleNear(1e-9), MinNorm({}).solve({.gramian = g}).objective_weights));
  }
}

// The problem itself, by its optimality: <g_i, g_w + rho g_0> is least where w_i > 0.
TEST(SdmGrad, ManyStepsSolveItsProblem) {
  for (int index = 0; index < 50; ++index) {
    const std::size_t objectives = 2 + index % 6;
    const double rho = 0.1 * (index % 5);
    const Gramian g = gramian_of(normal_rows(index, objectives, 4 * objectives), objectives);
    const WeightSolution solution = SdmGrad({.rho = rho, .steps = 20000}).solve({.gramian = g});
    EXPECT_LE(solution.kkt_residual, 1e-10);
    const std::vector<double>& lambda = solution.objective_weights;  // (w + rho / M) / (1 + rho)
    std::vector<double> gains(objectives);
    for (std::size_t i = 0; i < objectives; ++i) {
      for (std::size_t j = 0; j < objectives; ++j) gains[i] += g(i, j) * lambda[j];
    }
    const double least = *std::min_element(gains.begin(), gains.end());
    for (std::size_t i = 0; i < objectives; ++i) {
      const double w = lambda[i] * (1 + rho) - rho / static_cast<double>(objectives);
      if (w > 1e-6) {
        EXPECT_NEAR(gains[i], least, 1e-7 * g.trace());
      }
    }
  }
}

TEST(SdmGrad, AStrongTargetIsTheDirection) {
  const Gramian gramian = gramian_of(normal_rows(1, 4, 8), 4);
  const std::vector<double> preference = {1, 2, 3, 4};
  EXPECT_THAT(SdmGrad({.rho = 1e6}).solve({.gramian = gramian, .preference = preference}).objective_weights,
              ElementsAre(DoubleNear(0.1, 1e-5), DoubleNear(0.2, 1e-5), DoubleNear(0.3, 1e-5), DoubleNear(0.4, 1e-5)));
}

TEST(SdmGrad, GoesOnFromThePreviousWeights) {
  const Gramian gramian = gramian_of(normal_rows(1, 4, 8), 4);
  const std::vector<double> half = solve_sdmgrad(gramian, {.steps = 3});
  EXPECT_THAT(solve_sdmgrad(gramian, {.steps = 3}, half), Pointwise(DoubleNear(1e-12), solve_sdmgrad(gramian, {.steps = 6})));
  EXPECT_THROW(solve_sdmgrad(Gramian(2), {}, std::vector<double>{-0.5, 0.5}), Error);
}

}  // namespace
}  // namespace paretofl
