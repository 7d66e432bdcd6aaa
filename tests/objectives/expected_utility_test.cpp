#include "paretofl/objectives/expected_utility.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/objectives/pareto_front.h"
#include "tests/objectives/random_points.h"

namespace paretofl {
namespace {

std::vector<Preference> random_preferences(Random& random, std::size_t count, std::size_t objectives) {
  std::vector<Preference> preferences;
  const PointSet rows = random_points(random, count, objectives);
  for (std::size_t i = 0; i < count; ++i) preferences.emplace_back(std::vector<double>(rows[i].begin(), rows[i].end()), objectives);
  return preferences;
}

TEST(ExpectedUtility, IsTheMeanOfWhatEachPreferencePicks) {
  const PointSet points(2, {4, 0, 0, 2, 1, 1});
  const std::vector<Preference> preferences{{{1, 0}, 2}, {{0, 1}, 2}, {{1, 3}, 2}, {{1, 1}, 2}};
  EXPECT_DOUBLE_EQ(expected_utility(points, preferences), (4 + 2 + 1.5 + 2) / 4);
  const std::vector<Direction> time{Direction::kMaximize, Direction::kMinimize};
  EXPECT_DOUBLE_EQ(expected_utility(points, preferences, time), (4 + 0 + 1 + 2) / 4.0) << "(1, 3): 4 / 4 - 0";
}

TEST(ExpectedUtility, IsThatOfThePointsFrontAndNeverFallsWhenPointsAreAdded) {
  Random random({5, 0}, "expected_utility");
  const PointSet points = random_points(random, 30, 3);
  const std::vector<Preference> preferences = random_preferences(random, 20, 3);
  EXPECT_EQ(expected_utility(points, preferences), expected_utility(points.rows(pareto_front(points)), preferences));
  std::vector<std::size_t> so_far;
  double before = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    so_far.push_back(i);
    const double now = expected_utility(points.rows(so_far), preferences);
    EXPECT_GE(now, before);
    before = now;
  }
}

TEST(MaximumUtilityLoss, IsTheLargestThatAPreferenceHas) {
  const PointSet points(2, {4, 0, 0, 2});
  const PointSet reference(2, {5, 0, 3, 3});
  const std::vector<Preference> preferences{{{1, 0}, 2}, {{0, 1}, 2}, {{1, 1}, 2}};
  EXPECT_DOUBLE_EQ(maximum_utility_loss(points, reference, preferences), 1) << "losses: 1, 1, 3 - 2";
  EXPECT_DOUBLE_EQ(maximum_utility_loss(points, reference, std::vector<Preference>{{{1, 3}, 2}}), 1.5) << "3 - (0 + 3 * 2) / 4";
  EXPECT_DOUBLE_EQ(maximum_utility_loss(reference, points, preferences), -1) << "the reference serves each better";
}

TEST(MaximumUtilityLoss, IsZeroAgainstTheSetItselfAndItsFront) {
  Random random({5, 1}, "maximum_utility_loss");
  const PointSet points = random_points(random, 30, 4);
  const std::vector<Preference> preferences = random_preferences(random, 20, 4);
  EXPECT_EQ(maximum_utility_loss(points, points, preferences), 0);
  EXPECT_EQ(maximum_utility_loss(points.rows(pareto_front(points)), points, preferences), 0);
}

TEST(Utilities, RejectEmptyAndUnequalSets) {
  const PointSet points(2, {1, 2});
  const std::vector<Preference> preferences{uniform_preference(2)};
  const std::vector<Preference> of_three{uniform_preference(3)};
  EXPECT_THROW(expected_utility(PointSet(2, {}), preferences), Error);
  EXPECT_THROW(expected_utility(points, {}), Error);
  EXPECT_THROW(expected_utility(points, of_three), Error);
  EXPECT_THROW(expected_utility(PointSet(2, {1.7e308, 1.7e308}), std::vector<Preference>{{{1, 0}, 2}, {{0, 1}, 2}}), Error);
  EXPECT_THROW(maximum_utility_loss(points, PointSet(2, {}), preferences), Error);
  EXPECT_THROW(maximum_utility_loss(points, PointSet(3, {1, 2, 3}), preferences), Error);
  EXPECT_THROW(maximum_utility_loss(PointSet(2, {-1.7e308, 0}), PointSet(2, {1.7e308, 0}), std::vector<Preference>{{{1, 0}, 2}}), Error);
}

}  // namespace
}  // namespace paretofl
