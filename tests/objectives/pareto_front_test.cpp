#include "paretofl/objectives/pareto_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/objectives/random_points.h"

namespace paretofl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The definition, word for word.
std::vector<std::size_t> not_dominated(const PointSet& points) {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < points.size(); ++j) {
      bool nowhere_lower = true;
      bool somewhere_higher = false;
      for (std::size_t k = 0; k < points.objectives(); ++k) {
        nowhere_lower = nowhere_lower && points[j][k] >= points[i][k];
        somewhere_higher = somewhere_higher || points[j][k] > points[i][k];
      }
      dominated = dominated || (nowhere_lower && somewhere_higher);
    }
    if (!dominated) front.push_back(i);
  }
  return front;
}

std::vector<double> row(const PointSet& points, std::size_t i) { return {points[i].begin(), points[i].end()}; }

TEST(Dominates, NeedsNoLowerAndOneHigher) {
  const std::vector<double> low{1, 2};
  const std::vector<double> high{1, 3};
  const std::vector<double> other{2, 1};
  EXPECT_TRUE(dominates(high, low));
  EXPECT_FALSE(dominates(low, high));
  EXPECT_FALSE(dominates(low, low));
  EXPECT_FALSE(dominates(low, other));
  EXPECT_FALSE(dominates(other, low));
}

TEST(ParetoFront, IsTheDefinitionForEveryM) {
  for (std::size_t objectives = 1; objectives <= 6; ++objectives) {
    for (std::uint32_t trial = 0; trial < 50; ++trial) {
      Random random({1, trial, static_cast<std::uint32_t>(objectives)}, "pareto front");
      const PointSet grid = random_grid_points(random, random.below(60), objectives);
      EXPECT_EQ(pareto_front(grid), not_dominated(grid));
      const PointSet free = random_points(random, random.below(60), objectives);
      EXPECT_EQ(pareto_front(free), not_dominated(free));
    }
  }
}

TEST(ParetoFront, DistinctFrontHasTheFirstOfEachGroupOfEqualPoints) {
  for (std::uint32_t trial = 0; trial < 50; ++trial) {
    Random random({2, trial}, "pareto front");
    const std::size_t objectives = 1 + trial % 4;
    const PointSet points = random_grid_points(random, 40, objectives);
    std::set<std::vector<double>> seen;
    std::vector<std::size_t> expected;
    for (const std::size_t i : pareto_front(points)) {
      if (seen.insert(row(points, i)).second) expected.push_back(i);
    }
    EXPECT_EQ(distinct_pareto_front(points), expected);
    EXPECT_EQ(cardinality(points), seen.size());
  }
}

TEST(ParetoFront, SharedModelCountsOnce) {
  const PointSet points(2, {8, -3, 8, -3, 8, -5, 16, -9});
  EXPECT_THAT(pareto_front(points), ElementsAre(0, 1, 3));
  EXPECT_THAT(distinct_pareto_front(points), ElementsAre(0, 3));
  EXPECT_EQ(cardinality(points), 2);
}

TEST(ParetoFront, FollowsDirections) {
  const PointSet points(2, {1, 1, 2, 2, 1, 2, 2, 1});
  using enum Direction;
  const std::vector<Direction> down_up{kMinimize, kMaximize};
  const std::vector<Direction> down_down{kMinimize, kMinimize};
  EXPECT_THAT(pareto_front(points), ElementsAre(1));
  EXPECT_THAT(pareto_front(points, down_up), ElementsAre(2));
  EXPECT_THAT(pareto_front(points, down_down), ElementsAre(0));
}

TEST(ParetoFront, OfNothingIsEmpty) {
  EXPECT_THAT(pareto_front(PointSet(3, {})), IsEmpty());
  EXPECT_EQ(cardinality(PointSet(3, {})), 0);
}

}  // namespace
}  // namespace paretofl
