#include "paretofl/objectives/preference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using ::testing::ElementsAre;

TEST(Preference, IsDividedByItsSum) {
  EXPECT_THAT(Preference({1, 3, 4}, 3).weights(), ElementsAre(0.125, 0.375, 0.5));
  EXPECT_THAT(Preference({0, 5}, 2).weights(), ElementsAre(0, 1));
  EXPECT_THAT(Preference({0.2}, 1).weights(), ElementsAre(1));
}

TEST(Preference, OverHeldObjectivesIsScaledAndZeroElsewhere) {
  const Preference preference({0.5, 0.3, 0.2}, 3);
  EXPECT_EQ(preference.over_held({}), preference);
  EXPECT_THAT(preference.over_held(std::vector<double>{2, 0, 4}).weights(),
              ElementsAre(testing::DoubleEq(5.0 / 7), 0, testing::DoubleEq(2.0 / 7)));
  EXPECT_THROW((Preference({1, 0}, 2).over_held(std::vector<double>{0, 3})), Error) << "nothing is left";
  EXPECT_THROW((preference.over_held(std::vector<double>{1, 1})), Error);
}

TEST(Preference, DoesNotDependOnTheScale) {
  const Preference preference({1, 3, 4}, 3);
  EXPECT_EQ(Preference({4, 12, 16}, 3), preference);
  EXPECT_EQ(Preference({0x1p1000, 3 * 0x1p1000, 0x1p1002}, 3), preference);
  EXPECT_EQ(Preference({0x1p-1060, 3 * 0x1p-1060, 0x1p-1058}, 3), preference);
  constexpr double kLargest = std::numeric_limits<double>::max();
  EXPECT_THAT(Preference({kLargest, kLargest}, 2).weights(), ElementsAre(0.5, 0.5));
}

TEST(Preference, ScalarizesObjectiveValues) {
  const Preference preference({1, 3}, 2);
  EXPECT_EQ(preference.scalarize(std::vector<double>{8, -4}), -1);
  EXPECT_THROW(preference.scalarize(std::vector<double>{8}), Error);
}

TEST(Preference, UniformCountsAllTheSame) {
  EXPECT_THAT(uniform_preference(4).weights(), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THROW(uniform_preference(0), Error);
}

TEST(Preference, RejectsWhatIsNoPreference) {
  EXPECT_THROW(Preference({1, std::nan("")}, 2), Error);
  EXPECT_THROW(Preference({1, std::numeric_limits<double>::infinity()}, 2), Error);
  EXPECT_THROW(Preference({1, -0.5}, 2), Error);
  EXPECT_THROW(Preference({0, 0}, 2), Error);
  EXPECT_THROW(Preference({1, 1}, 3), Error);
  EXPECT_THROW(Preference({}, 0), Error);
}

TEST(Preference, SharesStayAsTheyAre) {
  const std::vector<double> shares = {0.1, 0.2, 0.7000000000000001};
  const Preference kept = Preference::of_shares(shares, 3);
  EXPECT_TRUE(std::equal(shares.begin(), shares.end(), kept.weights().begin(), kept.weights().end()));
  EXPECT_THROW(Preference::of_shares({0.1, 0.2}, 2), Error);
  EXPECT_THROW(Preference::of_shares({1, 0}, 3), Error);
  EXPECT_THROW(Preference::of_shares({2, -1}, 2), Error);
}

}  // namespace
}  // namespace paretofl
