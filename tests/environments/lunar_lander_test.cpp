#include "paretofl/environments/lunar_lander.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "tests/environments/player.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
enum { kFireNone, kFireLeft, kMain, kFireRight };

constexpr LanderThrust kEnginesOff{};

/// An episode without chance: level ground at the lowest, no push, engines that never go astray.
LunarLanderEpisode calm() { return LunarLanderEpisode({}); }

TEST(LunarLanderEpisode, IsBuiltAsPublished) {
  const LunarLanderEpisode episode = calm();
  const auto bodies = episode.bodies();
  EXPECT_NEAR(bodies[0].mass, 4.8166666, 1e-6);
  EXPECT_NEAR(bodies[0].inertia, 0.8333149, 1e-6);
  EXPECT_THAT(bodies[0].local_center, ElementsAre(DoubleNear(0, 1e-6), DoubleNear(0.1013072, 1e-6)));
  for (std::size_t leg = 1; leg < 3; ++leg) {
    EXPECT_NEAR(bodies[leg].mass, 0.0711111, 1e-7);
    EXPECT_NEAR(bodies[leg].inertia, 0.00179095, 1e-8);
    EXPECT_THAT(bodies[leg].local_center, ElementsAre(0, 0));
  }
  EXPECT_GT(bodies[1].x, bodies[0].x);
  EXPECT_LT(bodies[2].x, bodies[0].x);
  const auto joints = episode.joints();
  for (std::size_t leg = 0; leg < 2; ++leg) {
    const double side = leg == 0 ? -1 : 1;
    EXPECT_NEAR(joints[leg].reference_angle, 0.05 * side, 1e-7);
    EXPECT_NEAR(joints[leg].motor_speed, 0.3 * side, 1e-7);
    EXPECT_EQ(joints[leg].max_motor_torque, 40);
    EXPECT_NEAR(joints[leg].lower_angle, leg == 0 ? 0.4 : -0.9, 1e-7);
    EXPECT_NEAR(joints[leg].upper_angle, leg == 0 ? 0.9 : -0.4, 1e-7);
  }
}

TEST(LunarLanderEpisode, SmoothsTheTerrainAroundALevelPad) {
  LunarLanderEpisode::Draws draws;
  for (std::size_t i = 0; i < 12; ++i) draws.terrain[i] = 0.5 * static_cast<double>(i);
  const auto heights = LunarLanderEpisode(draws).terrain();
  const double pad = LunarLanderEpisode::kHeight / 4;
  EXPECT_NEAR(heights[0], 0.33 * (5.5 + 0 + 0.5), 1e-12);
  EXPECT_NEAR(heights[2], 0.33 * (0.5 + 1 + pad), 1e-12);
  for (std::size_t i = 4; i <= 6; ++i) EXPECT_NEAR(heights[i], 0.99 * pad, 1e-12);
  EXPECT_NEAR(heights[8], 0.33 * (pad + 4 + 4.5), 1e-12);
  EXPECT_NEAR(heights[10], 0.33 * (4.5 + 5 + 5.5), 1e-12);
}

TEST(LunarLanderEpisode, FallsFreely) {
  LunarLanderEpisode episode = calm();
  std::array<double, 4> reward{};
  const double before = episode.bodies()[0].vy;
  for (int step = 0; step < 10; ++step) EXPECT_FALSE(episode.step(kEnginesOff, {}, reward));
  // The legs' springs move the lander against its legs, not all three together.
  const auto bodies = episode.bodies();
  const auto momentum = [](const auto& parts) {
    double sum = 0;
    for (const LanderBody& part : parts) sum += part.mass * part.vy;
    return sum;
  };
  const double mass = bodies[0].mass + 2 * bodies[1].mass;
  EXPECT_NEAR(momentum(bodies) / mass, -10 * 11 / 50.0, 0.02);
  EXPECT_LT(bodies[0].vy, before);
}

TEST(LunarLanderEpisode, IsPushedByItsEngines) {
  const auto velocity_after = [](LanderThrust thrust, LunarLanderEpisode::Dispersion dispersion) {
    LunarLanderEpisode episode = calm();
    std::array<double, 4> reward{};
    episode.step(thrust, dispersion, reward);
    return episode.bodies()[0];
  };
  const LanderBody still = velocity_after(kEnginesOff, {});
  // An impulse of 13 x 4/30 on less than 5 kilograms; the joints take part of it.
  EXPECT_NEAR(velocity_after({.main = 1}, {}).vy - still.vy, 13 * 4 / 30.0 / 4.9588888, 0.02);
  EXPECT_NEAR(velocity_after({.main = 0.5}, {}).vy - still.vy, 13 * 2 / 30.0 / 4.9588888, 0.01);
  EXPECT_NEAR(velocity_after({.side = -1}, {}).vx - still.vx, -0.6 * 12 / 30.0 / 4.9588888, 0.02);
  EXPECT_NEAR(velocity_after({.side = 1}, {}).vx - still.vx, 0.6 * 12 / 30.0 / 4.9588888, 0.02);
  EXPECT_GT(velocity_after({.side = -1}, {}).angular_velocity, still.angular_velocity);
  // What goes astray matters where an engine runs, and only there.
  EXPECT_NE(velocity_after({.main = 1}, {0, 1}).vx, velocity_after({.main = 1}, {}).vx);
  EXPECT_EQ(velocity_after(kEnginesOff, {0, 1}).vx, still.vx);
}

TEST(LunarLanderEpisode, RewardsAreChangesOfShapingAndEnginePowers) {
  LunarLanderEpisode episode = calm();
  const auto shaping = [&] {
    const auto& s = episode.observation();
    return -100 * std::hypot(s[0], s[1]) - 100 * std::hypot(s[2], s[3]) - 100 * std::abs(s[4]) + 10 * (s[6] + s[7]);
  };
  std::array<double, 4> reward{};
  double before = shaping();
  bool ended = false;
  bool touched = false;
  while (!ended) {
    ended = episode.step({.main = 0.75, .side = -0.5}, {}, reward);
    EXPECT_NEAR(reward[1], shaping() - before, 1e-4);
    EXPECT_EQ(reward[0], ended ? -100 : 0);
    EXPECT_EQ(reward[2], -0.75);
    EXPECT_EQ(reward[3], -0.5);
    before = shaping();
    touched = touched || episode.touched_down();
  }
  EXPECT_TRUE(touched || std::abs(episode.observation()[0]) >= 1);
}

TEST(LunarLander, TurnsActionsIntoThrust) {
  const auto parts = [](const LanderThrust& thrust) { return std::vector<double>{thrust.main, thrust.side}; };
  EXPECT_THAT(parts(discrete_thrust(kFireNone)), ElementsAre(0, 0));
  EXPECT_THAT(parts(discrete_thrust(kFireLeft)), ElementsAre(0, -1));
  EXPECT_THAT(parts(discrete_thrust(kMain)), ElementsAre(1, 0));
  EXPECT_THAT(parts(discrete_thrust(kFireRight)), ElementsAre(0, 1));
  EXPECT_THAT(parts(continuous_thrust(0, 0.5)), ElementsAre(0, 0));
  EXPECT_THAT(parts(continuous_thrust(0.5, -0.5)), ElementsAre(0.75, 0));
  EXPECT_THAT(parts(continuous_thrust(7, -0.75)), ElementsAre(1, -0.75));
  EXPECT_THAT(parts(continuous_thrust(-7, 9)), ElementsAre(0, 1));
}

TEST(LunarLander, DrawsTerrainPushAndDispersion) {
  const Player first("mo-lunar-lander-v2", {.seed = 1});
  const Player second("mo-lunar-lander-v2", {.seed = 2});
  EXPECT_NE(first.observation[2], second.observation[2]);
  Player one("mo-lunar-lander-v2", {.seed = 1});
  Player other("mo-lunar-lander-v2", {.seed = 1});
  one.environment->reset(one.observation);
  other.play(kMain);
  other.environment->reset(other.observation);
  EXPECT_EQ(one.observation, other.observation);
  EXPECT_NE(one.observation, first.observation);
}

TEST(LunarLander, LoadsNoEpisodeThatGoesOnAfterItsEnd) {
  Player player("mo-lunar-lander-v2");
  Record state = player.environment->save();
  const std::vector<double> actions(900, kFireNone);
  state.records.at("state").arrays.at("actions") = Array(actions);
  state.arrays.at("progress") = Array(std::vector<std::int64_t>{1, 0, 0, 0, 900, 1});
  EXPECT_THROW(player.environment->load(state), Error);
}

TEST(LunarLander, LoadsNoEpisodeThatEndedInAnotherWay) {
  Player player("mo-lunar-lander-v2");
  const auto load_as = [&](Record state, int phase) {
    const auto saved = state.array("progress").ints();
    std::vector<std::int64_t> progress(saved.begin(), saved.end());
    progress[5] = phase;
    state.arrays.at("progress") = Array(progress);
    make_environment("mo-lunar-lander-v2")->load(state);
  };
  player.play(kFireNone);
  EXPECT_NO_THROW(load_as(player.environment->save(), 1));
  EXPECT_THROW(load_as(player.environment->save(), 2), Error);
  while (!player.outcome.ended()) player.play(kFireNone);
  EXPECT_TRUE(player.outcome.terminated);
  EXPECT_NO_THROW(load_as(player.environment->save(), 2));
  EXPECT_THROW(load_as(player.environment->save(), 1), Error);
}

TEST(LunarLander, IsTheSameInVersionThree) {
  Player two("mo-lunar-lander-v2");
  Player three("mo-lunar-lander-v3");
  for (int t = 0; !two.outcome.ended(); ++t) {
    two.play(t % 4);
    three.play(t % 4);
    ASSERT_EQ(two.observation, three.observation);
    ASSERT_EQ(two.reward, three.reward);
    ASSERT_EQ(two.outcome.terminated, three.outcome.terminated);
  }
  EXPECT_EQ(make_environment("mo-lunar-lander-continuous-v3")->spec().action.size(), 2);
}

}  // namespace
}  // namespace paretofl
