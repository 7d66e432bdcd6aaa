#include "paretofl/objectives/point_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using ::testing::ElementsAre;

TEST(PointSet, HoldsRowsInOrder) {
  const PointSet points(2, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(points.size(), 3);
  EXPECT_EQ(points.objectives(), 2);
  EXPECT_THAT(points[1], ElementsAre(3, 4));
  const std::vector<std::size_t> chosen{2, 0, 2};
  const PointSet rows = points.rows(chosen);
  EXPECT_EQ(rows.size(), 3);
  EXPECT_THAT(rows[0], ElementsAre(5, 6));
  EXPECT_THAT(rows[1], ElementsAre(1, 2));
}

TEST(PointSet, NegatesOnlyMinimizedObjectives) {
  const PointSet points(2, {1, 2, 3, 4});
  const std::vector<Direction> directions{Direction::kMaximize, Direction::kMinimize};
  EXPECT_THAT(points.maximized(directions)[1], ElementsAre(3, -4));
  EXPECT_THAT(points.maximized({})[1], ElementsAre(3, 4));
}

TEST(PointSet, RejectsBadValues) {
  EXPECT_THROW(PointSet(0, {}), Error);
  EXPECT_THROW(PointSet(2, {1, 2, 3}), Error);
  EXPECT_THROW(PointSet(2, {1, std::numeric_limits<double>::quiet_NaN()}), Error);
  EXPECT_THROW(PointSet(2, {1, std::numeric_limits<double>::infinity()}), Error);
  const std::vector<Direction> one{Direction::kMinimize};
  EXPECT_THROW(PointSet(2, {1, 2}).maximized(one), Error);
}

}  // namespace
}  // namespace paretofl
