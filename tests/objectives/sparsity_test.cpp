#include "paretofl/objectives/sparsity.h"

#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/objectives/random_points.h"

namespace paretofl {
namespace {

TEST(Sparsity, IsZeroForAtMostOnePoint) {
  EXPECT_EQ(sparsity(PointSet(2, {})), 0);
  EXPECT_EQ(sparsity(PointSet(2, {3, 4})), 0);
}

TEST(Sparsity, IsTheSquaredDistanceOfTwoPoints) { EXPECT_EQ(sparsity(PointSet(3, {1, 2, 3, 3, 1, 7})), 4 + 1 + 16); }

TEST(Sparsity, OfEvenSpacing) {
  // n points on a line with gaps of 1 and -2: (n - 1) (1 + 4) / (n - 1).
  EXPECT_EQ(sparsity(PointSet(2, {0, 0, 1, -2, 2, -4, 3, -6})), 5);
}

TEST(Sparsity, IgnoresOrderAndShiftsAndScalesWithTheSquare) {
  Random random({3, 0}, "sparsity");
  const PointSet points = random_grid_points(random, 20, 3);
  const double value = sparsity(points);
  EXPECT_GT(value, 0);
  EXPECT_EQ(sparsity(points.rows(random_order(random, 20))), value);
  std::vector<double> moved;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const double x : points[i]) moved.push_back(4 * x - 16);
  }
  EXPECT_EQ(sparsity(PointSet(3, moved)), 16 * value);
}

TEST(Sparsity, FallsWhenAGapIsFilled) { EXPECT_LT(sparsity(PointSet(1, {0, 1, 2})), sparsity(PointSet(1, {0, 2}))); }

TEST(Sparsity, RejectsGapsBeyondADouble) { EXPECT_THROW(sparsity(PointSet(1, {0, 1e200})), Error); }

}  // namespace
}  // namespace paretofl
