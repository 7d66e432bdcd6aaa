#include "paretofl/local/off_policy_learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "paretofl/core/error.h"
#include "paretofl/local/ddpg_rule.h"
#include "paretofl/local/dqn_rule.h"
#include "paretofl/wire/message.h"
#include "paretofl/workloads/environment_workload.h"

namespace paretofl {
namespace {

constexpr const char* kTreasure = "deep-sea-treasure-v0";

DqnOptions small() {
  DqnOptions options;
  options.base.hidden = {16, 16};
  options.base.learning_starts = 50;
  options.total_steps = 1000;
  options.target_update_interval = 60;
  return options;
}

LocalTrainingOptions steps(std::int64_t count) { return {.local_steps = count, .client_lr = 1e-3, .optimizer = "adam"}; }

std::unique_ptr<Learner> learner(const DqnOptions& options, std::int64_t local_steps) {
  return Dqn(options, kTreasure).learner(steps(local_steps), uniform_preference(2));
}

std::vector<float> start(const DqnOptions& options) {
  std::vector<float> theta(Dqn(options, kTreasure).layout()->size());
  Random random({3}, "test");
  for (float& x : theta) x = static_cast<float>(random.uniform(-0.2, 0.2));
  return theta;
}

TEST(DqnRule, ExploresLessAndLess) {
  DqnOptions options;
  options.total_steps = 1000;
  options.exploration_fraction = 0.2;
  options.exploration_final = 0.07;
  EXPECT_EQ(DqnRule::epsilon(options, 0), 1);
  EXPECT_NEAR(DqnRule::epsilon(options, 100), 1 - 0.93 / 2, 1e-12);
  EXPECT_NEAR(DqnRule::epsilon(options, 200), 0.07, 1e-12);
  EXPECT_EQ(DqnRule::epsilon(options, 999), 0.07);
  EXPECT_EQ(DqnRule::epsilon(options, 5000), 0.07);
}

/// Stable-Baselines3 takes 4504 gradient steps in 10,000 steps with these settings.
TEST(OffPolicyLearner, TakesAsManyGradientStepsAsStableBaselines) {
  DqnOptions options = small();
  options.base.learning_starts = 1000;
  options.base.train_freq = 16;
  options.base.gradient_steps = 8;
  options.base.batch_size = 2;
  std::vector<float> theta = start(options);
  const auto trained = learner(options, 10'000);
  trained->train(theta, {1, 1, 0});
  Record state;
  trained->save(state);
  EXPECT_EQ(state.record("rule").record("adam").scalar("steps"), 4504);
}

TEST(OffPolicyLearner, MinusOneIsOneGradientStepPerStep) {
  DqnOptions options = small();
  options.base.gradient_steps = -1;
  std::vector<float> theta = start(options);
  const auto trained = learner(options, 100);
  trained->train(theta, {1, 1, 0});
  Record state;
  trained->save(state);
  EXPECT_EQ(state.record("rule").record("adam").scalar("steps"), 100 - 48);  // the first after step 52
}

TEST(OffPolicyLearner, TheStepThatLearningStartsAtIsTooEarly) {
  DqnOptions options = small();
  options.base.learning_starts = 48;  // where gradient steps would be due
  options.base.gradient_steps = -1;
  std::vector<float> theta = start(options);
  const auto trained = learner(options, 100);
  trained->train(theta, {1, 1, 0});
  Record state;
  trained->save(state);
  EXPECT_EQ(state.record("rule").record("adam").scalar("steps"), 52);  // after steps 52, 56, ..., 100
}

TEST(OffPolicyOptions, SendsTheTargetsBehindWhatTheyFollow) {
  DqnOptions options = small();
  const std::size_t online = Dqn(options, kTreasure).layout()->size();
  options.base.send_target = true;
  const Dqn both(options, kTreasure);
  EXPECT_EQ(both.layout()->size(), 2 * online);
  EXPECT_EQ(both.layout()->slices().back().name, "target_q.2.bias");
}

/// Sending changes who mixes the targets, not how a client alone learns.
template <class Agent, class Options>
void expect_alone_the_same(Options options, const std::string& environment) {
  options.base.hidden = {16};
  options.base.learning_starts = 20;
  const Agent kept(options, environment);
  options.base.send_target = true;
  const Agent sent(options, environment);
  const std::size_t d = kept.layout()->size();
  ASSERT_EQ(sent.layout()->size(), 2 * d);
  std::vector<float> one(d);
  Random random({3}, "test");
  for (float& x : one) x = static_cast<float>(random.uniform(-0.2, 0.2));
  const std::vector<float> begin = one;
  std::vector<float> both = one;
  both.resize(2 * d);
  const std::size_t objectives = make_environment(environment)->num_objectives();
  const auto keeps = kept.learner(steps(60), uniform_preference(objectives));
  const auto sends = sent.learner(steps(60), uniform_preference(objectives));
  for (const std::uint32_t round : {1U, 2U}) {
    keeps->train(one, {1, round, 0});
    sends->train(both, {1, round, 0});
  }
  EXPECT_NE(one, begin);
  EXPECT_EQ(std::vector(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(d)), one);
}

TEST(OffPolicyLearner, AClientAloneLearnsTheSameWhetherTargetsAreSentOrNot) {
  expect_alone_the_same<Dqn>(DqnOptions{.target_update_interval = 30}, kTreasure);
  expect_alone_the_same<Ddpg>(DdpgOptions{}, "mo-lunar-lander-continuous-v2");
}

TEST(OffPolicyLearner, GoesOnFromASavedStateBitForBit) {
  for (const bool send_target : {false, true}) {
    DqnOptions options = small();
    options.base.send_target = send_target;
    std::vector<float> expected = start(options);
    const auto whole = learner(options, 150);
    whole->train(expected, {1, 1, 4});
    std::vector<float> theta = expected;
    whole->train(expected, {1, 2, 4});

    const auto first = learner(options, 150);
    std::vector<float> repeated = start(options);
    first->train(repeated, {1, 1, 4});
    ASSERT_EQ(repeated, theta);
    Record state;
    first->save(state);
    const auto second = learner(options, 150);
    second->load(decode_state(encode(state)));
    second->train(theta, {1, 2, 4});
    EXPECT_EQ(theta, expected) << send_target;
  }
}

TEST(OffPolicyLearner, AnUntrainedOneHasNothingToSave) {
  Record state;
  learner(small(), 10)->save(state);
  EXPECT_TRUE(state.empty());
  EXPECT_NO_THROW(learner(small(), 10)->load(state));
}

TEST(OffPolicyLearner, RejectsCountsThatNoneCanHaveSaved) {
  std::vector<float> theta = start(small());
  const auto trained = learner(small(), 10);
  trained->train(theta, {1, 1, 4});
  Record good;
  trained->save(good);
  EXPECT_NO_THROW(learner(small(), 10)->load(good));
  for (const auto& [key, value] :
       std::map<std::string, double>{{"steps", 0}, {"since_training", static_cast<double>(small().base.train_freq)}}) {
    for (const double wrong : {value, -1.0, 0.5, std::nan("")}) {
      Record bad = good;
      bad.scalars.at(key) = wrong;
      EXPECT_THROW(learner(small(), 10)->load(bad), Error) << key << " " << wrong;
    }
  }
}

TEST(OffPolicyLearner, RejectsAnotherStateOptimizerPreferenceAndEnvironment) {
  Record state;
  state.scalars.emplace("steps", 3);
  EXPECT_THROW(learner(small(), 10)->load(state), Error);
  EXPECT_THROW(Dqn(small(), kTreasure).learner({.optimizer = "sgd"}, uniform_preference(2)), Error);
  EXPECT_THROW(Dqn(small(), kTreasure).learner(steps(10), uniform_preference(3)), Error);
  EXPECT_THROW(Dqn(small(), "mo-lunar-lander-continuous-v2"), Error);
  DqnOptions half = small();
  half.base.hidden = {16.5};
  EXPECT_THROW(Dqn(half, kTreasure), Error);
}

/// A client that mostly wants time should take the nearest treasure, one that mostly wants treasure should dive.
TEST(OffPolicyLearner, FindsTheTreasureOfItsPreference) {
  DqnOptions options;
  options.base.hidden = {64, 64};
  options.base.batch_size = 64;
  options.base.learning_starts = 500;
  options.base.gamma = 0.98;
  options.target_update_interval = 200;
  options.base.gradient_steps = 2;
  options.total_steps = 15'000;
  options.exploration_fraction = 0.9;
  const Dqn dqn(options, kTreasure);
  const EnvironmentWorkload workload({.environment = kTreasure, .clients = 1}, 1);
  ThreadPool pool(1);
  const auto treasure = [&](double wish) {
    const auto trained = dqn.learner({.local_steps = 15'000, .client_lr = 1e-3, .optimizer = "adam"}, Preference({wish, 1 - wish}, 2));
    std::vector<float> theta = start(options);
    trained->train(theta, {2, 1, 0});
    const auto policy = dqn.policy();
    const auto environment = make_environment(kTreasure);
    std::vector<double> observation(2);
    std::vector<double> reward(2);
    double action = 0;
    environment->reset({1}, observation);
    double found = 0;
    for (StepOutcome outcome; !outcome.ended();) {
      policy->act(theta, observation, {&action, 1});
      outcome = environment->step({&action, 1}, observation, reward);
      found += reward[0];
    }
    return found;
  };
  EXPECT_NEAR(treasure(0.05), 0.7, 1e-6);
  EXPECT_GT(treasure(0.6), 8);
}

}  // namespace
}  // namespace paretofl
