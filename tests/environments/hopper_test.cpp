#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mjmodel.h>

#include <cmath>

#include "paretofl/environments/environment.h"
#include "paretofl/environments/locomotion_tasks.h"

namespace paretofl {
namespace {

using Numbers = std::vector<double>;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

class HopperTest : public testing::Test {
 protected:
  void start(const PhysicalState& state) { environment_->reset({.seed = 1}, state, observation_); }
  StepOutcome step(const Numbers& action) { return environment_->step(action, observation_, reward_); }

  const PhysicalState upright_{.qpos = {0, 1.25, 0, 0, 0, 0}, .qvel = Numbers(6)};
  std::unique_ptr<Environment> environment_ = make_environment("mo-hopper-v4");
  Numbers observation_ = Numbers(11);
  Numbers reward_ = Numbers(3);
};

// Frozen: the published model under libmujoco 2.2.2.
TEST_F(HopperTest, MovesAsThePublishedModel) {
  const mjModel& model = hopper_v4_model().compiled();
  EXPECT_THAT(Numbers(model.body_mass + 1, model.body_mass + 5),
              Pointwise(DoubleNear(1e-8), {3.665191429, 4.057890511, 2.781356696, 5.315574770}));
  start(upright_);
  for (int t = 0; t < 12; ++t) EXPECT_FALSE(step({std::sin(0.37 * t), std::sin(0.37 * t + 1.3), std::sin(0.37 * t + 2.6)}).ended());
  EXPECT_THAT(observation_, Pointwise(DoubleNear(1e-9),
                                      {1.232217967176, -0.079362240346, -0.009293109842, -0.089891561425, -0.183472842439, -1.377319767866,
                                       0.387732568915, -4.547270350518, -1.644773680609, -4.038498124056, -1.395139088638}));
  EXPECT_NEAR(reward_[0], -0.265336410, 1e-6);
  EXPECT_NEAR(reward_[1], 0.822179672, 1e-6);
}

TEST_F(HopperTest, PaysForTheActionAsGivenAndForEveryStepSurvived) {
  start(upright_);
  step({0, 0, 0});
  EXPECT_EQ(reward_[2], 1);
  EXPECT_NEAR(reward_[1], 1, 0.01);
  step({1, -2, 0.5});
  EXPECT_FLOAT_EQ(reward_[2], 1 - 5.25);
}

TEST_F(HopperTest, TerminatesWhenItFalls) {
  start(upright_);
  StepOutcome outcome;
  while (!outcome.ended()) outcome = step({0, 0, 0});
  EXPECT_TRUE(outcome.terminated);
  EXPECT_TRUE(observation_[0] <= 0.7 || std::abs(observation_[1]) >= 0.2);
  const auto ends_at = [this](std::size_t coordinate, double value) {
    PhysicalState state = upright_;
    state.qpos[coordinate] = value;
    start(state);
    return step({0, 0, 0}).terminated;
  };
  EXPECT_FALSE(ends_at(1, 2));
  EXPECT_TRUE(ends_at(1, 0.6));
  EXPECT_TRUE(ends_at(2, 0.3));
  EXPECT_TRUE(ends_at(2, -0.3));
  EXPECT_FALSE(ends_at(0, 1000));
  EXPECT_TRUE(ends_at(3, 110)) << "a joint";
  PhysicalState fast = upright_;
  fast.qvel[0] = 110;
  start(fast);
  EXPECT_TRUE(step({0, 0, 0}).terminated);
  fast.qvel[0] = 90;
  start(fast);
  EXPECT_FALSE(step({0, 0, 0}).terminated);
}

TEST_F(HopperTest, ShowsNoVelocityBeyondTen) {
  PhysicalState fast = upright_;
  fast.qvel = {30, -30, 1, 0, 0, 0};
  start(fast);
  EXPECT_THAT(observation_, ElementsAre(1.25, 0, 0, 0, 0, 10, -10, 1, 0, 0, 0));
}

}  // namespace
}  // namespace paretofl
