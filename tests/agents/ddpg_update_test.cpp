#include "paretofl/agents/ddpg_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/agents/sb3_trace.h"

namespace paretofl {
namespace {

TEST(DdpgUpdate, TakesTheStepsOfStableBaselines) {
  PARETOFL_NEEDS_DATA("../golden/sb3_updates.json.gz");
  const Sb3Trace trace("ddpg");
  const ActorCriticShape shape{.actor = Sb3Trace::shape(trace.initial()["actor"], true),
                               .critic = Sb3Trace::shape(trace.initial()["critic"])};
  const auto networks = [](const nlohmann::json& json, const std::string& suffix) {
    std::vector<float> theta = Sb3Trace::parameters(json["actor" + suffix]);
    const std::vector<float> critic = Sb3Trace::parameters(json["critic" + suffix]);
    theta.insert(theta.end(), critic.begin(), critic.end());
    return theta;
  };
  DdpgUpdate update(shape, {.gamma = trace.hyper()["gamma"], .tau = trace.hyper()["tau"], .rate = trace.hyper()["lr"]});
  std::vector<float> theta = networks(trace.initial(), "");
  std::vector<float> targets = networks(trace.initial(), "_target");
  EXPECT_EQ(trace.after().size(), 5U);
  for (std::size_t i = 0; i < trace.after().size(); ++i) {
    const DdpgLosses losses = update.step(theta, targets, trace.batch(i), {});
    const auto& expected = trace.after()[i];
    EXPECT_NEAR(losses.critic, expected["loss"]["train/critic_loss"].get<double>(), 1e-5);
    EXPECT_NEAR(losses.actor, expected["loss"]["train/actor_loss"].get<double>(), 1e-5);
    EXPECT_THAT(theta, testing::Pointwise(testing::FloatNear(1e-5F), networks(expected["params"], ""))) << i;
    EXPECT_THAT(targets, testing::Pointwise(testing::FloatNear(1e-5F), networks(expected["params"], "_target"))) << i;
  }
}

/// One state, reward 1 - (a - 0.5)^2, no future: the actor should find a = 0.5.
TEST(DdpgUpdate, FindsTheBestAction) {
  const ActorCriticShape shape{.actor = {.widths = {1, 16, 1}, .tanh_output = true}, .critic = {.widths = {2, 32, 32, 1}}};
  std::vector<float> theta(shape.num_parameters());
  Random random({1}, "test");
  for (float& x : theta) x = static_cast<float>(random.uniform(-0.3, 0.3));
  std::vector<float> targets = theta;
  DdpgUpdate update(shape, {.rate = 3e-3});
  ReplayBuffer buffer(500, 1, 1);
  const double observation = 1;
  for (int i = 0; i < 500; ++i) {
    const double action = random.uniform(-1, 1);
    const double reward = 1 - (action - 0.5) * (action - 0.5);
    buffer.add({.observation = {&observation, 1},
                .action = {&action, 1},
                .reward = {&reward, 1},
                .next_observation = {&observation, 1},
                .terminated = true});
  }
  TransitionBatch batch;
  for (int i = 0; i < 2000; ++i) {
    buffer.sample(64, random, batch);
    update.step(theta, targets, batch, {});
  }
  DenseNet actor(shape.actor);
  EXPECT_NEAR(actor.forward(shape.actor_of(std::span<const float>(theta)), std::vector<float>{1}, 1)[0], 0.5, 0.1);
}

TEST(DdpgUpdate, AnInfiniteRewardIsAnError) {
  const ActorCriticShape shape{.actor = {.widths = {1, 1}, .tanh_output = true}, .critic = {.widths = {2, 1}}};
  std::vector<float> theta(shape.num_parameters());
  std::vector<float> targets = theta;
  const TransitionBatch batch{.size = 1,
                              .observations = {0},
                              .actions = {0},
                              .rewards = {std::numeric_limits<float>::infinity()},
                              .next_observations = {0},
                              .continues = {1}};
  EXPECT_THROW(DdpgUpdate(shape, {}).step(theta, targets, batch, {}), Error);
}

}  // namespace
}  // namespace paretofl
