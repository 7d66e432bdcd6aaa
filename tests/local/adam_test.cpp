#include "paretofl/local/adam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace paretofl {
namespace {

using testing::FloatNear;

std::vector<float> path(std::span<const float> gradients) {
  Adam adam(1, 0.1);
  std::vector<float> theta{0};
  std::vector<float> visited;
  for (const float gradient : gradients) {
    adam.step({&gradient, 1}, theta);
    visited.push_back(theta[0]);
  }
  return visited;
}

TEST(Adam, DoesNotSeeTheScaleOfTheGradients) {
  const std::vector<float> gradients{1, -2, 3, 0.5};
  std::vector<float> scaled;
  for (const float gradient : gradients) scaled.push_back(1000 * gradient);
  EXPECT_THAT(path(scaled), testing::Pointwise(FloatNear(1e-6F), path(gradients)));
}

// The equations of the paper in double precision.
TEST(Adam, FollowsThePaper) {
  const std::vector<float> gradients{1, -2, 3, 0.5};
  double m = 0, v = 0, theta = 0;
  std::vector<float> expected;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const auto t = static_cast<double>(i + 1);
    const double gradient = gradients[i];
    m = 0.9 * m + 0.1 * gradient;
    v = 0.999 * v + 0.001 * gradient * gradient;
    theta -= 0.1 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    expected.push_back(static_cast<float>(theta));
  }
  EXPECT_THAT(path(gradients), testing::Pointwise(FloatNear(1e-6F), expected));
  EXPECT_NEAR(expected.back(), -0.133285, 1e-6);
}

}  // namespace
}  // namespace paretofl
