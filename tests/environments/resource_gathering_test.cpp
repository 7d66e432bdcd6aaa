#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
enum { kStepUp, kStepDown, kStepLeft, kStepRight };

void play_all(Player& player, std::initializer_list<int> actions) {
  for (const int action : actions) player.play(action);
}

TEST(ResourceGathering, BringsTheGemHomePastNoEnemy) {
  Player player("resource-gathering-v0");
  play_all(player, {kStepRight, kStepRight, kStepUp, kStepUp, kStepUp});
  EXPECT_THAT(player.observation, ElementsAre(1, 4, 0, 1));
  play_all(player, {kStepDown, kStepDown, kStepDown, kStepLeft});
  EXPECT_FALSE(player.outcome.ended());
  player.play(kStepLeft);
  EXPECT_THAT(player.observation, ElementsAre(4, 2, 0, 1));
  EXPECT_THAT(player.reward, ElementsAre(0, 0, 1));
  EXPECT_TRUE(player.outcome.terminated);
}

TEST(ResourceGathering, BringsTheGoldHomeAroundBothEnemies) {
  Player player("resource-gathering-v0");
  play_all(player, {kStepLeft, kStepUp, kStepUp, kStepUp, kStepUp, kStepRight});
  EXPECT_THAT(player.observation, ElementsAre(0, 2, 1, 0));
  play_all(player, {kStepLeft, kStepDown, kStepDown, kStepDown, kStepDown, kStepRight});
  EXPECT_THAT(player.reward, ElementsAre(0, 1, 0));
  EXPECT_TRUE(player.outcome.terminated);
}

TEST(ResourceGathering, IsAtHomeAgainAfterAMoveIntoTheWall) {
  Player player("resource-gathering-v0");
  player.play(kStepDown);
  EXPECT_TRUE(player.outcome.terminated);
  EXPECT_THAT(player.reward, ElementsAre(0, 0, 0));
}

TEST(ResourceGathering, EitherEnemyKillsOneInTenTimes) {
  constexpr int kRuns = 4000;
  const auto deaths = [](std::initializer_list<int> way) {
    int count = 0;
    for (int run = 0; run < kRuns; ++run) {
      Player player("resource-gathering-v0", {.seed = static_cast<std::uint64_t>(run)});
      play_all(player, way);
      EXPECT_EQ(player.outcome.terminated, player.reward[0] == -1);
      count += player.outcome.terminated ? 1 : 0;
    }
    return count / static_cast<double>(kRuns);
  };
  EXPECT_NEAR(deaths({kStepUp, kStepUp, kStepUp}), 0.1, 0.02);
  EXPECT_NEAR(deaths({kStepRight, kStepUp, kStepUp, kStepUp, kStepUp}), 0.1, 0.02);
}

}  // namespace
}  // namespace paretofl
