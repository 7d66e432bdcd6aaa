#include "paretofl/objectives/delta_m.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using enum Direction;
const std::vector<Direction> kAccuracies{kMaximize, kMaximize};

struct Published {
  std::string name;
  std::vector<double> method;
  std::vector<double> baseline;
  double percent;
};

// FedCMOO, Tables 1 and 4 and the single-objective accuracies of Appendix E.3.
class DeltaMOfThePaper : public ::testing::TestWithParam<Published> {};
INSTANTIATE_TEST_SUITE_P(Tables, DeltaMOfThePaper,
                         ::testing::Values(Published{"MnistFmnistFsmgda", {93.0, 75.4}, {97.0, 90.1}, 10.22},
                                           Published{"MnistFmnistFedcmoo", {95.5, 78.8}, {97.0, 90.1}, 7.04},
                                           Published{"MnistFmnistPref", {94.0, 79.2}, {97.0, 90.1}, 7.60},
                                           Published{"MultimnistFsmgda", {92.3, 88.2}, {95.4, 93.1}, 4.26},
                                           Published{"MultimnistFedcmoo", {94.4, 92.6}, {95.4, 93.1}, 0.79},
                                           Published{"MultimnistPref", {93.8, 91.1}, {95.4, 93.1}, 1.91},
                                           Published{"CifarMnistFsmgda", {58.2, 96.2}, {64.9, 97.1}, 5.63},
                                           Published{"CifarMnistFedcmoo", {57.4, 96.8}, {64.9, 97.1}, 5.93},
                                           Published{"CifarMnistPref", {63.6, 89.1}, {64.9, 97.1}, 5.12}),
                         [](const auto& info) { return info.param.name; });

TEST_P(DeltaMOfThePaper, IsReproduced) {
  EXPECT_NEAR(100 * delta_m(GetParam().method, GetParam().baseline, kAccuracies), GetParam().percent, 0.005);
}

TEST(DeltaM, IsZeroAtTheBaselineAndNegativeAboveIt) {
  const std::vector<double> baseline{0.5, 2};
  const std::vector<Direction> directions{kMaximize, kMinimize};
  EXPECT_EQ(delta_m(baseline, baseline, directions), 0);
  EXPECT_EQ(delta_m(std::vector<double>{0.75, 1}, baseline, directions), -0.5);
  EXPECT_EQ(delta_m(std::vector<double>{0.25, 3}, baseline, directions), 0.5);
}

TEST(DeltaM, EachObjectiveHasItsOwnDirection) {
  const std::vector<double> method{1, 1};
  const std::vector<double> baseline{2, 2};
  EXPECT_EQ(delta_m(method, baseline, kAccuracies), 0.5);
  EXPECT_EQ(delta_m(method, baseline, std::vector<Direction>{kMinimize, kMinimize}), -0.5);
  EXPECT_EQ(delta_m(method, baseline, std::vector<Direction>{kMinimize, kMaximize}), 0);
}

TEST(DeltaM, RejectsScoresItCannotCompare) {
  const std::vector<double> two{1, 1};
  EXPECT_THROW(delta_m({}, {}, {}), Error);
  EXPECT_THROW(delta_m(two, std::vector<double>{1}, kAccuracies), Error);
  EXPECT_THROW(delta_m(two, two, std::vector<Direction>{kMaximize}), Error);
  EXPECT_THROW(delta_m(two, std::vector<double>{1, 0}, kAccuracies), Error);
  EXPECT_THROW(delta_m(two, std::vector<double>{1, -3}, kAccuracies), Error);
  EXPECT_THROW(delta_m(std::vector<double>{1, std::nan("")}, two, kAccuracies), Error);
}

}  // namespace
}  // namespace paretofl
