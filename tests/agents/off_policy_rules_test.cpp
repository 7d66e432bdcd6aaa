#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/agents/ddpg_rule.h"
#include "paretofl/agents/dqn_rule.h"

namespace paretofl {
namespace {

Random unused({}, "unused");  // these rules draw nothing at a gradient step

const DenseShape kValues{.widths = {1, 2}};
const ActionSpace kTwo{.choices = 2, .low = {}, .high = {}};

std::vector<float> targets_of(const OffPolicyRule& rule) {
  const Record state = rule.save();
  const auto values = state.array("targets").floats();
  return {values.begin(), values.end()};
}

DqnOptions dqn_options() {
  DqnOptions options;
  options.total_steps = 100;
  options.exploration_fraction = 0.5;
  options.exploration_final = 0;
  options.target_update_interval = 10;
  return options;
}

TEST(DqnRule, CopiesTheTargetEveryIntervalAndNotBetween) {
  DqnRule rule(dqn_options(), 1e-3, kTwo, kValues);
  std::vector<float> first(4, 1);
  rule.start(first);
  std::vector<float> later = {2, 2, 2, 2};
  for (const int step : {1, 9, 11, 19}) {
    rule.after_step(later, step, false);
    EXPECT_THAT(targets_of(rule), testing::Each(1.0F)) << step;
  }
  rule.after_step(later, 20, false);
  EXPECT_EQ(targets_of(rule), later);
}

TEST(DqnRule, ATargetThatIsSentIsTheSecondHalfOfTheta) {
  DqnOptions options = dqn_options();
  options.base.send_target = true;
  DqnRule sent(options, 1e-3, kTwo, kValues);
  DqnRule kept(dqn_options(), 1e-3, kTwo, kValues);
  std::vector<float> both = {1, 2, 3, 4, 9, 8, 7, 6};
  std::vector<float> one = {1, 2, 3, 4};
  sent.start(both);
  kept.start(std::vector<float>{9, 8, 7, 6});
  EXPECT_THAT(both, testing::ElementsAre(1, 2, 3, 4, 9, 8, 7, 6));
  EXPECT_FALSE(sent.save().arrays.contains("targets"));

  // The same step, of the online network alone and towards the same target.
  const TransitionBatch batch{.size = 1, .observations = {1}, .actions = {1}, .rewards = {5}, .next_observations = {2}, .continues = {1}};
  sent.update(both, batch, {.mu = 1, .start = std::vector<float>(8, 0.5F)}, unused);
  kept.update(one, batch, {.mu = 1, .start = std::vector<float>(4, 0.5F)}, unused);
  EXPECT_THAT(one, testing::Not(testing::ElementsAre(1, 2, 3, 4)));
  EXPECT_THAT(std::vector(both.begin(), both.begin() + 4), testing::ElementsAreArray(one));
  EXPECT_THAT(std::vector(both.begin() + 4, both.end()), testing::ElementsAre(9, 8, 7, 6));
  sent.after_step(both, 10, false);
  EXPECT_THAT(std::vector(both.begin() + 4, both.end()), testing::ElementsAreArray(one));

  double action = 0;
  GreedyPolicy(kValues).act(std::vector<float>{0, 0, 0, 1, 0, 0, 1, 0}, std::vector<double>{0}, {&action, 1});
  EXPECT_EQ(action, 1);
}

// 0.5 + gamma max_b Q_target(2, b), gamma 0.5: Q(1, 1) = 6 + 4 is drawn to it, so the target network says whether up or down.
TEST(DqnRule, BootstrapsFromTheTarget) {
  DqnOptions options = dqn_options();
  options.base.gamma = 0.5;
  const TransitionBatch batch{.size = 1, .observations = {1}, .actions = {1}, .rewards = {0.5}, .next_observations = {2}, .continues = {1}};
  for (const float bias : {-50.0F, 50.0F}) {
    DqnRule rule(options, 1e-3, kTwo, kValues);
    std::vector<float> theta = {1, 6, 3, 4};
    rule.start(std::vector<float>{0, 0, bias, bias});
    rule.update(theta, batch, {}, unused);
    EXPECT_EQ(theta[3] > 4, bias > 0) << theta[3];
  }
}

TEST(DqnRule, ExploresAsOftenAsTheScheduleSays) {
  DqnRule rule(dqn_options(), 1e-3, kTwo, kValues);
  const std::vector<float> second_is_better = {0, 0, 0, 1};
  Random explore({1}, "test");
  const auto share_of_second = [&](std::int64_t steps, bool warming_up) {
    double action = 0;
    double remembered = 0;
    int chosen = 0;
    for (int i = 0; i < 4000; ++i) {
      rule.choose(second_is_better, std::vector<double>{0}, steps, warming_up, explore, {&action, 1}, {&remembered, 1});
      EXPECT_EQ(remembered, action);
      chosen += action == 1 ? 1 : 0;
    }
    return chosen / 4000.0;
  };
  EXPECT_NEAR(share_of_second(25, false), 0.75, 0.03);  // half of the actions are random, half of these the second
  EXPECT_EQ(share_of_second(60, false), 1);
  EXPECT_NEAR(share_of_second(60, true), 0.5, 0.04);
}

const ActorCriticShape kActorCritic{.actor = {.widths = {1, 2}, .tanh_output = true}, .critic = {.widths = {3, 1}}};
const ActionSpace kBox{.choices = 0, .low = {-2, 0}, .high = {2, 10}};

TEST(DdpgRule, StretchesActionsToTheBoundsAndRemembersThemUnstretched) {
  DdpgOptions options;
  DdpgRule rule(options, 1e-3, kBox, kActorCritic);
  std::vector<float> theta(kActorCritic.num_parameters());
  theta[2] = 20;   // the actor's biases
  theta[3] = -20;  // saturate both outputs
  Random explore({1}, "test");
  std::vector<double> action(2);
  std::vector<double> remembered(2);
  rule.choose(theta, std::vector<double>{0}, 0, false, explore, action, remembered);
  EXPECT_THAT(remembered, testing::ElementsAre(1, -1));
  EXPECT_THAT(action, testing::ElementsAre(2, 0));
}

TEST(DdpgRule, AddsNoiseAndStaysInBounds) {
  DdpgOptions options;
  options.noise = 0.1;
  DdpgRule rule(options, 1e-3, kBox, kActorCritic);
  const std::vector<float> theta(kActorCritic.num_parameters());
  Random explore({1}, "test");
  std::vector<double> action(2);
  std::vector<double> remembered(2);
  double squares = 0;
  for (int i = 0; i < 4000; ++i) {
    rule.choose(theta, std::vector<double>{0}, 0, false, explore, action, remembered);
    squares += remembered[0] * remembered[0] / 4000;
  }
  EXPECT_NEAR(std::sqrt(squares), 0.1, 0.005);
  double largest = 0;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    rule.choose(theta, std::vector<double>{0}, 0, true, explore, action, remembered);
    largest = std::max(largest, std::abs(remembered[0]));
    sum += remembered[0];
    EXPECT_GE(action[1], 0);
    EXPECT_LE(action[1], 10);
  }
  EXPECT_NEAR(sum / 1000, 0, 0.08) << "from -1 to 1";
  EXPECT_EQ(largest, 1) << "noise comes on the warm-up's actions, and is cut off at the bounds";
}

TEST(DdpgRule, TargetsThatAreSentAreTheSecondHalfOfTheta) {
  DdpgOptions options;
  DdpgRule kept(options, 1e-3, kBox, kActorCritic);
  options.base.send_target = true;
  DdpgRule sent(options, 1e-3, kBox, kActorCritic);
  const std::vector<float> begin = {0.3F, -0.2F, 0.1F, 0, 0.5F, -0.4F, 0.2F, 0.1F};
  std::vector<float> one = begin;
  std::vector<float> both = begin;
  const std::vector<float> slow = {0.2F, -0.1F, 0.1F, 0.1F, 0.4F, -0.3F, 0.1F, 0};
  both.insert(both.end(), slow.begin(), slow.end());
  kept.start(slow);
  sent.start(both);
  EXPECT_THAT(std::vector(both.begin() + 8, both.end()), testing::ElementsAreArray(slow));
  EXPECT_FALSE(sent.save().arrays.contains("targets"));

  // The same steps, of the networks that are trained alone and towards the same targets.
  const TransitionBatch batch{
      .size = 1, .observations = {1}, .actions = {0.5F, -0.5F}, .rewards = {5}, .next_observations = {2}, .continues = {1}};
  const std::vector<float> pull(both.size(), 0.5F);
  for (int i = 0; i < 3; ++i) {
    kept.update(one, batch, {.mu = 1, .start = pull}, unused);
    sent.update(both, batch, {.mu = 1, .start = pull}, unused);
  }
  EXPECT_NE(one, begin);
  EXPECT_NE(targets_of(kept), slow);
  EXPECT_THAT(std::vector(both.begin(), both.begin() + 8), testing::ElementsAreArray(one));
  EXPECT_THAT(std::vector(both.begin() + 8, both.end()), testing::ElementsAreArray(targets_of(kept)));
}

}  // namespace
}  // namespace paretofl
