#include "paretofl/environments/reacher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/environments/player.h"

namespace paretofl {
namespace {

using Numbers = std::vector<double>;
using testing::DoubleNear;
using testing::Pointwise;

/// Shoulder and elbow turned backwards, not at all or forwards.
double turn(int shoulder, int elbow) { return 3 * (shoulder + 1) + elbow + 1; }

// Frozen: the published model under libmujoco 2.2.2.
TEST(Reacher, MovesAsThePublishedModel) {
  Player player("mo-reacher-v4");
  player.environment->reset(
      {}, {{0, 3.1415 / 2, 0.14, 0, -0.14, 0, 0, 0.14, 0, -0.14}, {-0.003, -0.002, -0.001, 0, 0.001, 0.002, 0.003, 0.004, 0, 0}},
      player.observation);
  player.play(8);
  EXPECT_THAT(player.reward, Pointwise(DoubleNear(1e-7), {0.531818970, -0.056048833, 0.582368215, -0.077040532}));
  EXPECT_THAT(player.observation, Pointwise(DoubleNear(1e-10), {0.999214402028, -0.039624171891, 0.039630528373, 0.999214654117,
                                                                0.395396534874, 0.395689006980}));
  for (const int action : {5, 0, 7, 2, 6, 1, 3, 4, 8}) player.play(action);
  EXPECT_THAT(player.reward, Pointwise(DoubleNear(1e-7), {0.352014674, 0.303009337, 0.808837514, 0.065772845}));
  EXPECT_THAT(player.observation, Pointwise(DoubleNear(1e-10), {0.949620944377, -0.626282484608, 0.313400800892, 0.779596209247,
                                                                0.367653637820, 0.331993139513}));
}

TEST(Reacher, RewardsWhereTheFingertipWas) {
  Player player("mo-reacher-v4");
  // The arm lies along x with the tip at 0.21 m.
  player.environment->reset({}, {{0, 0, 0.14, 0, -0.14, 0, 0, 0.14, 0, -0.14}, Numbers(10)}, player.observation);
  player.play(turn(1, -1));
  const double diagonal = 1 - 4 * std::hypot(0.21, 0.14);
  EXPECT_THAT(player.reward, Pointwise(DoubleNear(1e-6), {1 - 4 * 0.07, 1 - 4 * 0.35, diagonal, diagonal}));
}

TEST(Reacher, HasTargetsThatStandStillInVersionFive) {
  const auto velocities = [](std::string_view id) {
    const Player player(id);
    const Record state = player.environment->save().record("state");
    const auto qvel = state.array("qvel").doubles();
    return Numbers(qvel.begin(), qvel.end());
  };
  const Numbers drifting = velocities("mo-reacher-v4");
  const Numbers still = velocities("mo-reacher-v5");
  EXPECT_TRUE(std::equal(still.begin(), still.begin() + 2, drifting.begin()));
  EXPECT_EQ(Numbers(still.begin() + 2, still.end()), Numbers(8));
  EXPECT_EQ(std::count(drifting.begin(), drifting.end(), 0), 2) << "the last target's";
}

TEST(Reacher, TurnsItsJointsByTheAction) {
  for (int shoulder = -1; shoulder <= 1; ++shoulder) {
    for (int elbow = -1; elbow <= 1; ++elbow) {
      Player player("mo-reacher-v4");
      player.environment->reset({}, {Numbers(10), Numbers(10)}, player.observation);
      player.play(turn(shoulder, elbow));
      EXPECT_NEAR(player.observation[4], 0.4 * shoulder, 0.01);
      EXPECT_NEAR(player.observation[5], 0.4 * elbow, 0.01);
    }
  }
}

TEST(Reacher, IsCutAfterFiftySteps) {
  Player player("mo-reacher-v4");
  EXPECT_NEAR(player.observation[0], 1, 1e-12);
  EXPECT_NEAR(player.observation[3], 1, 1e-8);
  EXPECT_LT(std::abs(player.observation[4]), 0.0005);
  EXPECT_NE(player.observation[4], 0);
  player.play(turn(0, 0), 49);
  EXPECT_FALSE(player.outcome.ended());
  player.play(turn(0, 0));
  EXPECT_TRUE(player.outcome.truncated);
  EXPECT_FALSE(player.outcome.terminated);
}

}  // namespace
}  // namespace paretofl
