#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
enum { kToBottles, kToHome, kPickUp };

/// Fetches so many bottles, from home to where they are and back.
void fetch(Player& player, int bottles) {
  player.play(kToBottles, 4);
  player.play(kPickUp, bottles);
  player.play(kToHome, 4);
}

TEST(BreakableBottles, ComeHomeOneByOneWithoutRisk) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Player player("breakable-bottles-v0", {.seed = seed});
    fetch(player, 1);
    EXPECT_THAT(player.observation, ElementsAre(4, 0, 1, 0, 0, 0));
    EXPECT_THAT(player.reward, ElementsAre(-1, 25, 0));
    EXPECT_FALSE(player.outcome.ended());
    fetch(player, 1);
    EXPECT_THAT(player.reward, ElementsAre(-1, 25, 0));
    EXPECT_TRUE(player.outcome.terminated);
  }
}

TEST(BreakableBottles, AreTwoToCarryAtMost) {
  Player player("breakable-bottles-v0");
  player.play(kPickUp);
  EXPECT_THAT(player.observation, ElementsAre(4, 0, 0, 0, 0, 0)) << "there are none at home";
  player.play(kToBottles, 4);
  player.play(kPickUp, 3);
  EXPECT_THAT(player.observation, ElementsAre(0, 2, 0, 0, 0, 0));
  player.play(kToBottles);
  EXPECT_THAT(player.observation, ElementsAre(0, 2, 0, 0, 0, 0));
}

// Three moves with two bottles keep both with probability 0.9^3.
TEST(BreakableBottles, BreakOneTimeInTen) {
  constexpr int kRuns = 4000;
  int whole = 0;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    Player player("breakable-bottles-v0", {.seed = seed});
    fetch(player, 2);
    const bool broken = player.observation[3] + player.observation[4] + player.observation[5] > 0;
    EXPECT_EQ(player.outcome.terminated, !broken);
    EXPECT_EQ(player.reward[1], broken ? 25 : 50);
    whole += broken ? 0 : 1;
  }
  EXPECT_NEAR(whole / static_cast<double>(kRuns), 0.729, 0.03);
}

TEST(BreakableBottles, CostAnImpactOnce) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Player player("breakable-bottles-v0", {.seed = seed});
    double impact = 0;
    for (int trip = 0; trip < 3 && !player.outcome.ended(); ++trip) {
      for (const int action : {kToBottles, kToBottles, kToBottles, kToBottles, kPickUp, kPickUp, kToHome, kToHome, kToBottles, kToHome}) {
        player.play(action);
        impact += player.reward[2];
      }
    }
    EXPECT_GE(impact, -1);
    worst = std::min(worst, impact);
  }
  EXPECT_EQ(worst, -1);
}

TEST(BreakableBottles, LoadsNoCarrierOfThree) {
  Player player("breakable-bottles-v0");
  Record state = player.environment->save();
  state.records.at("state").arrays.at("carrier") = Array(std::vector<std::int64_t>{2, 3, 0, 0, 0, 0});
  EXPECT_THROW(player.environment->load(state), Error);
  state.records.at("state").arrays.at("carrier") = Array(std::vector<std::int64_t>{2, 0, 2, 0, 0, 0});
  EXPECT_THROW(player.environment->load(state), Error) << "two bottles at home are an end";
}

}  // namespace
}  // namespace paretofl
