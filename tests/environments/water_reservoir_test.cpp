#include "paretofl/environments/water_reservoir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "paretofl/core/error.h"
#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

TEST(WaterReservoir, ReleasesWhatTheDamAllows) {
  const ReservoirDay plain = reservoir_day(80, 50, 40);
  EXPECT_EQ(plain.level, 70);
  EXPECT_THAT(plain.reward, ElementsAre(-20, 0));
  const ReservoirDay empty = reservoir_day(30, 50, 40);
  EXPECT_EQ(empty.level, 40) << "no more than there is";
  EXPECT_THAT(empty.reward, ElementsAre(0, -20));
  const ReservoirDay full = reservoir_day(150, 0, 40);
  EXPECT_EQ(full.level, 140) << "no less than what exceeds the dam";
  EXPECT_THAT(full.reward, ElementsAre(-90, 0));
  EXPECT_EQ(reservoir_day(10, 10, -5).level, 0) << "a drought does not make a debt";
}

TEST(WaterReservoir, StartsAtOneOfTenLevels) {
  std::set<double> levels;
  for (std::uint64_t seed = 0; seed < 300; ++seed) levels.insert(Player("water-reservoir-v0", {.seed = seed}).observation[0]);
  EXPECT_EQ(levels.size(), 10);
  EXPECT_FLOAT_EQ(*levels.begin(), 13.185943);
  EXPECT_FLOAT_EQ(*levels.rbegin(), 140.13098);
}

TEST(WaterReservoir, RainsFortyADay) {
  constexpr int kEpisodes = 100;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < kEpisodes; ++seed) {
    Player player("water-reservoir-v0", {.seed = seed});
    while (!player.outcome.ended()) {
      player.play(1e6);  // all that there is
      sum += player.observation[0];
      squares += player.observation[0] * player.observation[0];
    }
    EXPECT_TRUE(player.outcome.truncated);
    EXPECT_FALSE(player.outcome.terminated);
  }
  const double mean = sum / (100 * kEpisodes);
  EXPECT_NEAR(mean, 40, 0.5);
  EXPECT_NEAR(std::sqrt(squares / (100 * kEpisodes) - mean * mean), 10, 0.5);
}

TEST(WaterReservoir, LoadsNoLevelBelowItsGround) {
  Player player("water-reservoir-v0");
  Record state = player.environment->save();
  for (const double level : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    state.records.at("state").arrays.at("level") = Array(std::vector<double>{level});
    EXPECT_THROW(player.environment->load(state), Error) << level;
  }
}

}  // namespace
}  // namespace paretofl
