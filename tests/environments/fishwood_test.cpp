#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/environments/player.h"

namespace paretofl {
namespace {

enum { kToTheWater, kToTheWoods };

TEST(Fishwood, YieldsFishAtTheWaterAndWoodInTheWoods) {
  constexpr int kSeasons = 40;
  double fish = 0;
  double wood = 0;
  for (std::uint64_t seed = 0; seed < kSeasons; ++seed) {
    Player fisher("fishwood-v0", {.seed = seed});
    Player cutter("fishwood-v0", {.seed = seed});
    fisher.play(kToTheWater);  // the first step is still that of the woods
    EXPECT_EQ(fisher.reward[0], 0);
    while (!cutter.outcome.ended()) {
      cutter.play(kToTheWoods);
      if (!fisher.outcome.ended()) {
        fisher.play(kToTheWater);
        EXPECT_EQ(fisher.reward[1], 0);
      }
      EXPECT_EQ(cutter.reward[0], 0);
      fish += fisher.reward[0];
      wood += cutter.reward[1];
    }
  }
  EXPECT_NEAR(fish / (200 * kSeasons), 0.1, 0.02);
  EXPECT_NEAR(wood / (200 * kSeasons), 0.9, 0.02);
}

TEST(Fishwood, EndsAfterTwoHundredSteps) {
  Player player("fishwood-v0");
  player.play(kToTheWoods, 199);
  EXPECT_FALSE(player.outcome.ended());
  player.play(kToTheWater);
  EXPECT_TRUE(player.outcome.terminated);
  EXPECT_TRUE(player.outcome.truncated);
  EXPECT_THAT(player.observation, testing::ElementsAre(0));
}

TEST(Fishwood, LoadsNoThirdPlace) {
  Player player("fishwood-v0");
  Record state = player.environment->save();
  state.records.at("state").arrays.at("place") = Array(std::vector<std::int64_t>{2});
  EXPECT_THROW(player.environment->load(state), Error);
}

}  // namespace
}  // namespace paretofl
