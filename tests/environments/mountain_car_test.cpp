#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
enum { kBackward, kCoast, kForward };

TEST(MountainCar, StartsAtRestInTheValley) {
  double lowest = 0;
  double highest = -1;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Player player("mo-mountaincar-v0", {.seed = seed});
    EXPECT_EQ(player.observation[1], 0);
    lowest = std::min(lowest, player.observation[0]);
    highest = std::max(highest, player.observation[0]);
  }
  EXPECT_GE(lowest, -0.6F);
  EXPECT_LT(lowest, -0.59);
  EXPECT_LE(highest, -0.4F);
  EXPECT_GT(highest, -0.41);
}

TEST(MountainCar, FollowsThePublishedDynamics) {
  Player player("mo-mountaincar-v0");
  Record state = player.environment->save();
  state.records.at("state").arrays.at("car") = Array(std::vector<double>{-0.5, 0.01});
  player.environment->load(state);
  player.play(kForward);
  const double velocity = 0.01 + 0.001 - 0.0025 * std::cos(-1.5);
  EXPECT_NEAR(player.observation[0], -0.5 + velocity, 1e-7);
  EXPECT_NEAR(player.observation[1], velocity, 1e-8);
  EXPECT_THAT(player.reward, ElementsAre(-1, 0, -1));
  player.play(kCoast);
  EXPECT_THAT(player.reward, ElementsAre(-1, 0, 0));
  player.play(kBackward);
  EXPECT_THAT(player.reward, ElementsAre(-1, -1, 0));
}

TEST(MountainCar, StopsAtTheLeftEnd) {
  Player player("mo-mountaincar-v0");
  Record state = player.environment->save();
  state.records.at("state").arrays.at("car") = Array(std::vector<double>{-1.19, -0.07});
  player.environment->load(state);
  player.play(kBackward);
  EXPECT_THAT(player.observation, ElementsAre(-1.2F, 0));
}

TEST(MountainCar, ReachesTheGoalBySwinging) {
  Player player("mo-mountaincar-v0");
  while (!player.outcome.ended()) player.play(player.observation[1] < 0 ? kBackward : kForward);
  EXPECT_TRUE(player.outcome.terminated);
  EXPECT_GE(player.observation[0], 0.5);
  EXPECT_THAT(player.reward, ElementsAre(0, 0, -1));
  Player weak("mo-mountaincar-v0");
  while (!weak.outcome.ended()) weak.play(kForward);
  EXPECT_TRUE(weak.outcome.truncated);
}

TEST(MountainCar, MayBeRewardedForItsSpeedAndForEitherPush) {
  for (const int push : {kBackward, kCoast, kForward}) {
    Player all("mo-mountaincar-3d-v0");
    Player moves("mo-mountaincar-timemove-v0");
    Player speed("mo-mountaincar-timespeed-v0");
    for (Player* player : {&all, &moves, &speed}) player->play(push);
    EXPECT_EQ(all.observation, moves.observation);
    const double moved = push == kCoast ? 0 : -1;
    const double fast = 15 * std::abs(all.observation[1]);
    EXPECT_THAT(all.reward, ElementsAre(-1, moved, testing::DoubleNear(fast, 1e-6)));
    EXPECT_THAT(moves.reward, ElementsAre(-1, moved));
    EXPECT_THAT(speed.reward, ElementsAre(-1, testing::DoubleNear(fast, 1e-6)));
  }
  EXPECT_EQ(make_environment("mo-mountaincar-3d-v0")->spec().objective_names, (std::vector<std::string>{"time", "moves", "speed"}));
}

TEST(ContinuousMountainCar, PaysForTheThrottleAsGivenAndMovesAsIfClipped) {
  Player full("mo-mountaincarcontinuous-v0");
  Player beyond("mo-mountaincarcontinuous-v0");
  full.play(1);
  beyond.play(2);
  EXPECT_EQ(full.observation, beyond.observation);
  EXPECT_THAT(full.reward, ElementsAre(-1, -1));
  EXPECT_THAT(beyond.reward, ElementsAre(-1, -4));
}

TEST(ContinuousMountainCar, HasANearerGoal) {
  for (const auto& [id, push, arrives] :
       {std::tuple("mo-mountaincarcontinuous-v0", 1, true), {"mo-mountaincar-v0", int{kForward}, false}}) {
    Player player(id);
    Record state = player.environment->save();
    state.records.at("state").arrays.at("car") = Array(std::vector<double>{0.44, 0.02});
    player.environment->load(state);
    player.play(push);
    EXPECT_EQ(player.outcome.terminated, arrives) << id;
  }
}

TEST(ContinuousMountainCar, ReachesTheGoalBySwinging) {
  Player player("mo-mountaincarcontinuous-v0");
  while (!player.outcome.ended()) player.play(player.observation[1] < 0 ? -1 : 1);
  EXPECT_TRUE(player.outcome.terminated);
  EXPECT_GE(player.observation[0], 0.45);
  EXPECT_THAT(player.reward, ElementsAre(0, -1));
}

}  // namespace
}  // namespace paretofl
