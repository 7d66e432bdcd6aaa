#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
enum { kMine, kCartLeft, kCartRight, kAccelerate, kBrake, kCartNone };

/// Drives straight from the base to the mine at (0.84, 0.84) and stands there.
void drive_to_the_middle_mine(Player& player) {
  player.play(kAccelerate, 2);
  while (player.observation[0] < 0.75) player.play(kCartNone);
  player.play(kBrake);
  ASSERT_EQ(player.observation[2], 0);
}

TEST(Minecart, ChargesFuelByAction) {
  Player player("minecart-deterministic-v0");
  const auto fuel = [&](int action) {
    player.play(action);
    EXPECT_EQ(player.reward[0], 0);
    EXPECT_EQ(player.reward[1], 0);
    return player.reward[2];
  };
  EXPECT_EQ(fuel(kMine), -0.22F);  // also where nothing is mined
  EXPECT_EQ(fuel(kCartLeft), -0.02F);
  EXPECT_EQ(fuel(kCartRight), -0.02F);
  EXPECT_EQ(fuel(kBrake), -0.02F);
  EXPECT_EQ(fuel(kCartNone), -0.02F);
  EXPECT_EQ(fuel(kAccelerate), -0.12F);
}

TEST(Minecart, TurnsByTenDegreesFourTimesAnAction) {
  Player player("minecart-deterministic-v0");
  for (int i = 0; i < 9; ++i) {
    const double angle = 45 + 40 * (i + 1);
    player.play(kCartRight);
    EXPECT_NEAR(player.observation[3], std::sin(angle * M_PI / 180), 1e-6);
    EXPECT_NEAR(player.observation[4], std::cos(angle * M_PI / 180), 1e-6);
  }
  EXPECT_FLOAT_EQ(static_cast<float>(player.observation[3]), std::sqrt(0.5F));
}

TEST(Minecart, MinesUpToItsCapacityAndBringsItHome) {
  Player player("minecart-deterministic-v0");
  drive_to_the_middle_mine(player);
  player.play(kMine);  // four times 0.2 of either ore is more than 1.5 in all
  EXPECT_FLOAT_EQ(static_cast<float>(player.observation[5]), 0.5F);
  EXPECT_FLOAT_EQ(static_cast<float>(player.observation[6]), 0.5F);
  player.play(kMine, 3);
  EXPECT_LE(player.observation[5] + player.observation[6], 1 + 1e-6);
  player.play(kCartLeft, 4);
  player.play(kAccelerate, 3);
  while (!player.play(kCartNone).ended()) ASSERT_EQ(player.reward[0], 0);
  EXPECT_TRUE(player.outcome.terminated);
  EXPECT_NEAR(player.reward[0], 0.75, 1e-6);
  EXPECT_NEAR(player.reward[1], 0.75, 1e-6);
  EXPECT_EQ(player.observation[5], 0);
  EXPECT_LT(std::hypot(player.observation[0], player.observation[1]), 0.15);
}

TEST(Minecart, MinesNothingWhileItMovesOrFarFromAMine) {
  Player player("minecart-deterministic-v0");
  player.play(kAccelerate, 2);
  while (player.observation[0] < 0.75) {
    player.play(kMine);
    EXPECT_EQ(player.observation[5], 0);
  }
  Player at_base("minecart-deterministic-v0");
  at_base.play(kMine, 5);
  EXPECT_EQ(at_base.observation[5], 0);
}

TEST(Minecart, IdlesUntilStep1000) {
  Player player("minecart-v0");
  player.play(kCartNone, 999);
  EXPECT_FALSE(player.outcome.ended());
  player.play(kCartNone);
  EXPECT_TRUE(player.outcome.truncated);
  EXPECT_FALSE(player.outcome.terminated);
}

// At the mine at (0.84, 0.84) each substep yields max(0, normal(0.2, 0.05)) of either ore, drawn anew.
TEST(Minecart, YieldsAtRandomAsPublished) {
  double sum = 0;
  double squares = 0;
  constexpr int kRuns = 4000;
  for (int run = 0; run < kRuns; ++run) {
    Player player("minecart-v0", {.seed = static_cast<std::uint64_t>(run)});
    Record state = player.environment->save();
    state.records.at("state").arrays.at("cart") = Array(std::vector<double>{0.84, 0.84, 0, 45, 0, 0});
    player.environment->load(state);
    player.play(kMine);
    const double first = player.observation[5] * 1.5;
    const double second = player.observation[6] * 1.5;
    EXPECT_LE(first + second, 1.5 + 1e-6);
    sum += first - second;
    squares += (first - second) * (first - second);
  }
  // The capacity scales the last substep alike for both, so the difference stays centred, with the deviation of nearly four
  // substeps' differences.
  const double deviation = std::sqrt(squares / kRuns);
  EXPECT_NEAR(sum / kRuns, 0, 4 * deviation / std::sqrt(kRuns));
  EXPECT_GT(deviation, 0.05 * std::sqrt(2 * 3.0));
  EXPECT_LT(deviation, 0.05 * std::sqrt(2 * 4.2));
}

// The mine at (0.16, 0.84) has none of the second ore, and no yield is negative.
TEST(Minecart, NeverMinesLessThanNothing) {
  int none = 0;
  for (int run = 0; run < 200; ++run) {
    Player player("minecart-v0", {.seed = static_cast<std::uint64_t>(run)});
    Record state = player.environment->save();
    state.records.at("state").arrays.at("cart") = Array(std::vector<double>{0.16, 0.84, 0, 45, 0, 0});
    player.environment->load(state);
    player.play(kMine);
    EXPECT_GE(player.observation[6], 0);
    none += player.observation[6] == 0 ? 1 : 0;
  }
  EXPECT_NEAR(none / 200.0, 1 / 16.0, 0.06) << "when all four draws are below zero";
}

// Whoever comes home in a substep before the last acts once more in the next, without moving.
TEST(Minecart, ActsOnceMoreAfterComingHome) {
  Player player("minecart-deterministic-v0");
  Record state = player.environment->save();
  state.records.at("state").arrays.at("cart") = Array(std::vector<double>{0.16, 0.1, 0.03, 180, 0.3, 0.6});
  state.records.at("state").scalars.at("departed") = 1;
  player.environment->load(state);
  player.play(kCartRight);
  EXPECT_TRUE(player.outcome.terminated);
  EXPECT_THAT(player.reward, ElementsAre(0.3F, 0.6F, -0.02F));
  const double first = 190 * M_PI / 180;
  const double second = 200 * M_PI / 180;
  const double third = 210 * M_PI / 180;
  // Two moves bring the cart within 0.15 of the corner.
  EXPECT_NEAR(player.observation[0], 0.16 + 0.03 * (std::cos(first) + std::cos(second)), 1e-6);
  EXPECT_NEAR(player.observation[1], 0.1 + 0.03 * (std::sin(first) + std::sin(second)), 1e-6);
  EXPECT_NEAR(player.observation[3], std::sin(third), 1e-6);
}

TEST(Minecart, DrawsAnewInEveryStep) {
  Player player("minecart-v0");
  std::vector<double> mined;
  for (int step = 0; step < 2; ++step) {
    Record state = player.environment->save();
    state.records.at("state").arrays.at("cart") = Array(std::vector<double>{0.16, 0.84, 0, 45, 0, 0});
    player.environment->load(state);
    player.play(kMine);
    mined.push_back(player.observation[5]);
  }
  EXPECT_NE(mined[0], mined[1]);
}

TEST(Minecart, DrawsAnewInEveryEpisode) {
  Player player("minecart-v0");
  std::vector<double> mined;
  for (int episode = 0; episode < 3; ++episode) {
    player.environment->reset(player.observation);
    Record state = player.environment->save();
    state.records.at("state").arrays.at("cart") = Array(std::vector<double>{0.16, 0.84, 0, 45, 0, 0});
    player.environment->load(state);
    player.play(kMine);
    mined.push_back(player.observation[5]);
  }
  EXPECT_NE(mined[0], mined[1]);
  EXPECT_NE(mined[1], mined[2]);
}

}  // namespace
}  // namespace paretofl
