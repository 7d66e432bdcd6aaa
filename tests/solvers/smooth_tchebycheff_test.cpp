#include "paretofl/solvers/smooth_tchebycheff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

const Gramian kSmoothGramian(2, {1, 0, 0, 4});

std::vector<double> solve_smooth_tchebycheff(SmoothTchebycheff::Options options, std::vector<double> losses,
                                             std::vector<double> preference = {}) {
  return SmoothTchebycheff(std::move(options))
      .solve({.gramian = kSmoothGramian, .losses = losses, .preference = preference})
      .objective_weights;
}

// The weights are the gradient of the scalarized loss in the losses.
TEST(SmoothTchebycheff, IsTheGradientOfItsScalarization) {
  const std::vector<double> ideal = {0.1, -0.3};
  const double mu = 0.7;
  const auto scalarized = [&](double first, double second) {
    return mu * std::log(std::exp(0.5 * (first - ideal[0]) / mu) + std::exp(1.5 * (second - ideal[1]) / mu));
  };
  const double step = 1e-6;
  const double first = (scalarized(1 + step, 2) - scalarized(1 - step, 2)) / (2 * step);
  const double second = (scalarized(1, 2 + step) - scalarized(1, 2 - step)) / (2 * step);
  EXPECT_THAT(solve_smooth_tchebycheff({.mu = mu, .ideal = ideal}, {1, 2}, {1, 3}),
              ElementsAre(DoubleNear(first / (first + second), 1e-8), DoubleNear(second / (first + second), 1e-8)));
}

TEST(SmoothTchebycheff, GoldenValues) {
  const double e = std::exp(1.0);
  EXPECT_THAT(solve_smooth_tchebycheff({.mu = 1}, {1, 2}), ElementsAre(DoubleNear(1 / (1 + e), 1e-15), DoubleNear(e / (1 + e), 1e-15)));
  EXPECT_THAT(solve_smooth_tchebycheff({.mu = 1e-9}, {1, 2}), ElementsAre(0, 1));
  EXPECT_THAT(solve_smooth_tchebycheff({.mu = 1e9}, {1, 2}, {1, 3}), ElementsAre(DoubleNear(0.25, 1e-6), DoubleNear(0.75, 1e-6)));
  EXPECT_THAT(solve_smooth_tchebycheff({}, {1e300, 1e300}), ElementsAre(0.5, 0.5));
}

TEST(SmoothTchebycheff, RejectsWhatDoesNotFit) {
  EXPECT_THROW(solve_smooth_tchebycheff({}, {}), Error);
  EXPECT_THROW(solve_smooth_tchebycheff({.ideal = {1, 2, 3}}, {1, 2}), Error);
  EXPECT_THROW(solve_smooth_tchebycheff({.mu = 1e-12}, {1e300, 1}), Error);
}

}  // namespace
}  // namespace paretofl
