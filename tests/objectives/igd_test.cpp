#include "paretofl/objectives/igd.h"

#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/objectives/random_points.h"

namespace paretofl {
namespace {

TEST(Igd, IsTheMeanDistanceFromTheReferenceFront) {
  // (0, 0) is 5 from its nearest point, (3, 0) is 4 from it.
  EXPECT_EQ(inverted_generational_distance(PointSet(2, {3, 4, 30, 40}), PointSet(2, {0, 0, 3, 0})), 4.5);
}

TEST(Igd, IsZeroExactlyWhenTheReferenceFrontIsCovered) {
  Random random({4, 0}, "igd");
  const PointSet points = random_points(random, 20, 3);
  EXPECT_EQ(inverted_generational_distance(points, points), 0);
  const std::vector<std::size_t> some{3, 5, 7};
  EXPECT_EQ(inverted_generational_distance(points, points.rows(some)), 0);
  EXPECT_GT(inverted_generational_distance(points.rows(some), points), 0);
}

TEST(Igd, NeverGrowsWhenPointsAreAdded) {
  Random random({4, 1}, "igd");
  const PointSet points = random_points(random, 20, 3);
  const PointSet front = random_points(random, 15, 3);
  std::vector<std::size_t> so_far{0};
  double before = inverted_generational_distance(points.rows(so_far), front);
  for (std::size_t i = 1; i < points.size(); ++i) {
    so_far.push_back(i);
    const double now = inverted_generational_distance(points.rows(so_far), front);
    EXPECT_LE(now, before);
    before = now;
  }
}

TEST(Igd, RejectsEmptyAndUnequalSets) {
  const PointSet points(2, {1, 2});
  EXPECT_THROW(inverted_generational_distance(points, PointSet(2, {})), Error);
  EXPECT_THROW(inverted_generational_distance(PointSet(2, {}), points), Error);
  EXPECT_THROW(inverted_generational_distance(points, PointSet(3, {1, 2, 3})), Error);
  EXPECT_THROW(inverted_generational_distance(PointSet(2, {1e200, 0}), points), Error);
}

}  // namespace
}  // namespace paretofl
