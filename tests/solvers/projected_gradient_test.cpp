#include "paretofl/solvers/projected_gradient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/solvers/min_norm.h"
#include "tests/optimization/random_gramian.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using Options = ProjectedGradient::Options;

TEST(ProjectedGradient, GoldenValues) {
  const Gramian gramian(2, {4, 0, 0, 0});
  const Options one = {.beta = 0.1, .steps = 1, .normalize = false};
  // (1/2 - 0.1 * 4 / 2, 1/2), then up by 0.1 each.
  const WeightSolution solution = ProjectedGradient(one).solve({.gramian = gramian});
  EXPECT_THAT(solution.objective_weights, ElementsAre(DoubleNear(0.4, 1e-15), DoubleNear(0.6, 1e-15)));
  EXPECT_EQ(solution.iterations, 1);
  const std::vector<double> previous = {0.25, 0.75};
  // (0.25 - 0.1, 0.75), then up by 0.05.
  EXPECT_THAT(ProjectedGradient(one).solve({.gramian = gramian, .previous = previous}).objective_weights,
              ElementsAre(DoubleNear(0.2, 1e-15), DoubleNear(0.8, 1e-15)));
  // The official normalization divides by ((sqrt(4.0001) + sqrt(0.0001)) / 2)^2.
  const double scale = std::pow((std::sqrt(4.0001) + 0.01) / 2, 2);
  const Options normalized = {.beta = 0.1, .steps = 1, .normalize = true};
  EXPECT_NEAR(ProjectedGradient(normalized).solve({.gramian = gramian}).objective_weights[0], 0.5 - 0.1 / scale, 1e-15);
}

// A second implementation of the official FindWeights for two objectives, where the projection is a clip.
TEST(ProjectedGradient, MatchesThePairRecurrence) {
  for (int index = 0; index < 100; ++index) {
    const Gramian gramian = gramian_of(normal_rows(index, 2, 2 + index % 3), 2);
    const double scale = std::pow((std::sqrt(gramian(0, 0) + 1e-4) + std::sqrt(gramian(1, 1) + 1e-4)) / 2, 2);
    double first = 0.5;
    for (int step = 0; step < 1000; ++step) {
      const double a = first - 0.001 * (gramian(0, 0) * first + gramian(0, 1) * (1 - first)) / scale;
      const double b = 1 - first - 0.001 * (gramian(1, 0) * first + gramian(1, 1) * (1 - first)) / scale;
      first = std::clamp((a - b + 1) / 2, 0.0, 1.0);
    }
    const WeightSolution solution = ProjectedGradient(Options{}).solve({.gramian = gramian});
    EXPECT_NEAR(solution.objective_weights[0], first, 1e-12);
  }
}

TEST(ProjectedGradient, ManyStepsFindTheMinimumNorm) {
  for (int index = 0; index < 50; ++index) {
    const std::size_t objectives = 2 + index % 8;
    const Gramian gramian = gramian_of(normal_rows(index, objectives, 4 * objectives), objectives);
    const WeightSolution solution = ProjectedGradient(Options{.beta = 0.2, .steps = 20000}).solve({.gramian = gramian});
    EXPECT_THAT(solution.objective_weights, Pointwise(DoubleNear(1e-9), MinNorm({}).solve({.gramian = gramian}).objective_weights));
    EXPECT_LE(solution.kkt_residual, 1e-10);
  }
}

TEST(ProjectedGradient, StopsOnlyWhereNothingChanges) {
  const Gramian gramian(3, {1, 0, 0, 0, 2, 0, 0, 0, 4});
  const Options options = {.beta = 0.1, .steps = 100000, .normalize = false};
  const WeightSolution solution = ProjectedGradient(options).solve({.gramian = gramian});
  EXPECT_LT(solution.iterations, 100000);
  const WeightSolution again = ProjectedGradient(options).solve({.gramian = gramian, .previous = solution.objective_weights});
  EXPECT_EQ(again.objective_weights, solution.objective_weights);
  EXPECT_EQ(again.iterations, 1);
}

TEST(ProjectedGradient, StartsFromThePreviousWeights) {
  const Gramian gramian = gramian_of(normal_rows(1, 4, 8), 4);
  const Options hundred = {.beta = 0.01, .steps = 100};
  const Options fifty = {.beta = 0.01, .steps = 50};
  const WeightSolution half = ProjectedGradient(fifty).solve({.gramian = gramian});
  EXPECT_EQ(ProjectedGradient(fifty).solve({.gramian = gramian, .previous = half.objective_weights}).objective_weights,
            ProjectedGradient(hundred).solve({.gramian = gramian}).objective_weights);
}

TEST(ProjectedGradient, RejectsStepsBeyondDoubles) {
  const Gramian gramian(2, {1e308, 0, 0, 1e308});
  EXPECT_THROW(ProjectedGradient(Options{.beta = 10, .normalize = false}).solve({.gramian = gramian}), Error);
  EXPECT_NO_THROW(ProjectedGradient(Options{.beta = 10}).solve({.gramian = gramian}));
  EXPECT_THROW(ProjectedGradient(Options{.beta = INFINITY}).solve({.gramian = Gramian(2)}), Error);
}

}  // namespace
}  // namespace paretofl
