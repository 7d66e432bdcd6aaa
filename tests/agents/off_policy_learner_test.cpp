#include "paretofl/agents/off_policy_learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "paretofl/agents/ddpg_rule.h"
#include "paretofl/agents/dqn_rule.h"
#include "paretofl/core/error.h"
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
  both.insert(both.end(), begin.begin(), begin.end());
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

TEST(OffPolicyLearner, TargetsThatAreSentBeginAsWhatTheyFollow) {
  const auto halves = [](const Agent& agent) {
    const Parameters drawn = agent.initial_parameters(Random({5}, "test"));
    const auto values = drawn.values();
    return std::pair(std::vector(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2)),
                     std::vector(values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end()));
  };
  DqnOptions dqn = small();
  DdpgOptions ddpg;
  for (const bool send_target : {false, true}) {
    dqn.base.send_target = ddpg.base.send_target = send_target;
    const auto [online, target] = halves(Dqn(dqn, kTreasure));
    EXPECT_EQ(online == target, send_target);
    const auto [trained, slow] = halves(Ddpg(ddpg, "mo-lunar-lander-continuous-v2"));
    EXPECT_EQ(trained == slow, send_target);
  }
}

/// Writes down what is asked of it: c and the steps so far (! in the warm-up), a and the steps, u.
class NotingRule : public OffPolicyRule {
 public:
  explicit NotingRule(std::string& notes) : notes_(notes) {}
  void start(std::span<const float>) override { notes_ += "start "; }
  void choose(std::span<const float>, std::span<const double>, std::int64_t steps, bool warming_up, Random&, std::span<double> action,
              std::span<double> remembered) override {
    notes_ += "c" + std::to_string(steps) + (warming_up ? "! " : " ");
    action[0] = remembered[0] = 0;
  }
  void after_step(std::span<float>, std::int64_t steps, bool) override { notes_ += "a" + std::to_string(steps) + " "; }
  void update(std::span<float>, const TransitionBatch&, const ProximalTerm&, Random&) override {
    notes_ += "u ";
    expect(!fails, "test: expected no failure, found one");
  }
  Record save() const override { return {}; }
  void load(const Record&) override {}

  bool fails = false;

 private:
  std::string& notes_;
};

/// Stable-Baselines3: random actions while fewer than learning_starts steps are done, gradient steps once more are.
TEST(OffPolicyLearner, KeepsTheOrderOfStepsAndStartsAnewAfterAFailure) {
  std::string notes;
  auto rule = std::make_unique<NotingRule>(notes);
  NotingRule& noting = *rule;
  OffPolicyOptions options;
  options.batch_size = 1;
  options.learning_starts = 3;
  options.train_freq = 2;
  options.gradient_steps = 2;
  const auto layout = Dqn(small(), kTreasure).layout();
  OffPolicyLearner learner(options, steps(5), kTreasure, uniform_preference(2), std::move(rule), layout);
  std::vector<float> theta(layout->size());
  learner.train(theta, {1, 1, 0});
  EXPECT_EQ(notes, "start c0! a1 c1! a2 c2! a3 c3 a4 u u c4 a5 ");
  notes.clear();
  noting.fails = true;
  EXPECT_THROW(learner.train(theta, {1, 2, 0}), Error);
  EXPECT_EQ(notes, "c5 a6 u ");
  notes.clear();
  Record state;
  learner.save(state);
  learner.load(state);
  noting.fails = false;
  learner.train(theta, {1, 3, 0});
  EXPECT_THAT(notes, testing::StartsWith("start c6 a7 c7 a8 u u c8 "));
  notes.clear();
  learner.train(theta, {1, 4, 0});
  EXPECT_THAT(notes, testing::StartsWith("c11 "));
}

TEST(OffPolicyLearner, RecoversFromAModelThatMadeItsLossesInfinite) {
  DdpgOptions options;
  options.base.hidden = {16, 16};
  options.base.learning_starts = 20;
  const Ddpg ddpg(options, "mo-lunar-lander-continuous-v2");
  const auto client = ddpg.learner(steps(60), uniform_preference(4));
  const Parameters sound = ddpg.initial_parameters(Random({5}, "test"));
  std::vector<float> theta(sound.values().begin(), sound.values().end());
  client->train(theta, {1, 1, 0});
  for (float& x : theta) x *= 1e10F;
  EXPECT_THROW(client->train(theta, {1, 2, 0}), Error);
  theta.assign(sound.values().begin(), sound.values().end());
  EXPECT_NO_THROW(client->train(theta, {1, 3, 0}));
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
       std::map<std::string, double>{{"steps", 0}, {"starts", 2}, {"since_training", static_cast<double>(small().base.train_freq)}}) {
    for (const double wrong : {value, -1.0, 0.5, std::nan("")}) {
      Record bad = good;
      bad.scalars.at(key) = wrong;
      EXPECT_THROW(learner(small(), 10)->load(bad), Error) << key << " " << wrong;
    }
  }
}

TEST(OffPolicyLearner, RejectsActionsThatThereAreNot) {
  std::vector<float> theta = start(small());
  const auto trained = learner(small(), 10);
  trained->train(theta, {1, 1, 4});
  Record state;
  trained->save(state);
  Array& actions = state.records.at("environment").records.at("buffer").arrays.at("actions");
  for (const float wrong : {-1.0F, 0.5F, 4.0F, NAN}) {
    std::vector<float> values(actions.floats().begin(), actions.floats().end());
    values[3] = wrong;
    actions = Array(values);
    EXPECT_THROW(learner(small(), 10)->load(state), Error) << wrong;
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
    const auto policy = dqn.policy(uniform_preference(2));
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
