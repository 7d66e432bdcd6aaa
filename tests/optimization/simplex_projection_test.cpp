#include "paretofl/optimization/simplex_projection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> projected(std::vector<double> point) {
  std::vector<double> scratch(point.size());
  project_onto_simplex(point, scratch);
  return point;
}

std::vector<double> random_point(Random& random) {
  std::vector<double> point(1 + random.below(50));
  const double scale = std::pow(10, random.uniform(-3, 3));
  for (double& value : point) value = scale * random.normal();
  return point;
}

TEST(SimplexProjection, LiesOnTheSimplex) {
  Random random({0, 0, 0}, "points");
  for (int index = 0; index < 2000; ++index) {
    const std::vector<double> result = projected(random_point(random));
    for (const double value : result) ASSERT_GE(value, 0);
    ASSERT_NEAR(std::accumulate(result.begin(), result.end(), 0.0), 1, 1e-12);
  }
}

// p is the projection of x if and only if (x - p, q - p) <= 0 for every vertex q of the simplex.
TEST(SimplexProjection, IsTheNearestPoint) {
  Random random({1, 0, 0}, "points");
  for (int index = 0; index < 2000; ++index) {
    const std::vector<double> point = random_point(random);
    const std::vector<double> result = projected(point);
    double inner = 0;
    double largest = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      inner += (point[i] - result[i]) * result[i];
      largest = std::max(largest, std::abs(point[i]));
    }
    for (std::size_t i = 0; i < point.size(); ++i) ASSERT_LE(point[i] - result[i] - inner, 1e-12 * (1 + largest));
  }
}

TEST(SimplexProjection, KeepsPointsOfTheSimplexAndOffsets) {
  Random random({2, 0, 0}, "points");
  for (int index = 0; index < 500; ++index) {
    const std::vector<double> point = random.dirichlet(std::vector<double>(1 + random.below(50), 0.5));
    EXPECT_THAT(projected(point), Pointwise(DoubleNear(1e-13), point));
    std::vector<double> moved = random_point(random);
    const std::vector<double> result = projected(moved);
    for (double& value : moved) value += 0.75;
    EXPECT_THAT(projected(moved), Pointwise(DoubleNear(1e-10), result));
  }
}

TEST(SimplexProjection, GoldenValues) {
  EXPECT_THAT(projected({5}), ElementsAre(1));
  EXPECT_THAT(projected({0.25, 0.25}), ElementsAre(0.5, 0.5));
  EXPECT_THAT(projected({3, 1}), ElementsAre(1, 0));
  EXPECT_THAT(projected({-1, -1, -1, -1}), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(projected({1, 0.5, -1}), ElementsAre(0.75, 0.25, 0));
  EXPECT_THAT(projected({1e300, 0, -1e300}), ElementsAre(1, 0, 0));
}

}  // namespace
}  // namespace paretofl
