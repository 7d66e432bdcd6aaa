#include "paretofl/agents/envelope_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/agents/envelope_rule.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

const std::string kSea = "deep-sea-treasure-v0";

EnvelopeOptions small_envelope() {
  EnvelopeOptions options;
  options.dqn.base.hidden = {16};
  options.dqn.base.learning_starts = 10;
  options.dqn.base.batch_size = 8;
  options.dqn.exploration_final = 0;
  options.dqn.total_steps = 100;
  return options;
}

ActionSpace four_actions() {
  ActionSpace actions;
  actions.choices = 4;
  return actions;
}

LocalTrainingOptions envelope_steps(std::int64_t steps) { return {.local_steps = steps, .client_lr = 1e-3, .optimizer = "adam"}; }

TEST(EnvelopeAgent, HasEvenlySpacedPreferencesForItsFront) {
  EXPECT_THAT(EnvelopeAgent(small_envelope(), kSea).front_preferences(),
              testing::ElementsAre(Preference({0, 1}, 2), Preference({0.25, 0.75}, 2), Preference({0.5, 0.5}, 2),
                                   Preference({0.75, 0.25}, 2), Preference({1, 0}, 2)));
}

TEST(EnvelopeAgent, NeedsDiscreteActions) {
  EXPECT_THAT([] { return EnvelopeAgent(small_envelope(), "mo-halfcheetah-v4"); },
              testing::ThrowsMessage<Error>(
                  testing::HasSubstr("envelope_dqn: expected an environment of discrete actions, found mo-halfcheetah-v4")));
}

TEST(EnvelopePolicy, WeighsTheValuesOfEachActionByThePreference) {
  // Q(s, a) = (3, 0), (1, 1), (0, 4) whatever the input is.
  const DenseShape shape{.widths = {3, 6}};
  std::vector<float> theta(shape.num_parameters());
  const std::vector<float> values = {3, 0, 1, 1, 0, 4};
  std::copy(values.begin(), values.end(), theta.end() - 6);
  const auto action_under = [&](double first) {
    double action = -1;
    const double observation = 0.5;
    EnvelopePolicy(shape, Preference({first, 1 - first}, 2)).act(theta, {&observation, 1}, {&action, 1});
    return action;
  };
  EXPECT_EQ(action_under(1), 0);
  EXPECT_EQ(action_under(0.6), 0);   // 1.8, 1, 1.6
  EXPECT_EQ(action_under(0.55), 2);  // 1.65, 1, 1.8
  EXPECT_EQ(action_under(0), 2);
}

/// The preferences that a rule acts under, one for each step; every third step ends an episode.
std::vector<std::vector<float>> acted_under(const std::string& acting) {
  EnvelopeOptions options = small_envelope();
  options.acting = acting;
  const DenseShape shape{.widths = {4, 8}};
  EnvelopeRule rule(options, 1e-3, four_actions(), shape, Preference({0.25, 0.75}, 2));
  std::vector<float> theta(shape.num_parameters());
  rule.start(theta);
  Random explore({5}, "explore");
  std::vector<std::vector<float>> preferences;
  for (std::int64_t step = 0; step < 9; ++step) {
    double action = 0, remembered = 0;
    const std::vector<double> observation = {0, 0};
    rule.choose(theta, observation, step, false, explore, {&action, 1}, {&remembered, 1});
    const Record state = rule.save();
    const auto acting_now = state.array("acting").floats();
    preferences.emplace_back(acting_now.begin(), acting_now.end());
    rule.after_step(theta, step + 1, step % 3 == 2);
  }
  return preferences;
}

TEST(EnvelopeRule, DrawsAPreferenceForEachEpisode) {
  const auto drawn = acted_under("drawn");
  for (std::size_t step = 0; step < drawn.size(); ++step) {
    EXPECT_NEAR(drawn[step][0] + drawn[step][1], 1, 1e-6);
    if (step % 3 != 0) {
      EXPECT_EQ(drawn[step], drawn[step - 1]);
    }
  }
  EXPECT_NE(drawn[0], drawn[3]);
  EXPECT_NE(drawn[3], drawn[6]);
}

TEST(EnvelopeRule, ActsUnderItsOwnPreferenceWhereAsked) {
  EXPECT_THAT(acted_under("own"), testing::Each(testing::ElementsAre(0.25F, 0.75F)));
}

TEST(EnvelopeRule, DrawsAnewAfterATrainingThatFailed) {
  const DenseShape shape{.widths = {4, 8}};
  EnvelopeRule rule(small_envelope(), 1e-3, four_actions(), shape, uniform_preference(2));
  std::vector<float> theta(shape.num_parameters());
  Random explore({5}, "explore");
  const auto acting_after_a_step = [&] {
    double action = 0, remembered = 0;
    const std::vector<double> observation = {0, 0};
    rule.choose(theta, observation, 3, false, explore, {&action, 1}, {&remembered, 1});
    const Record state = rule.save();
    const auto acting = state.array("acting").floats();
    return std::vector<float>(acting.begin(), acting.end());
  };
  rule.start(theta);
  const auto before = acting_after_a_step();
  EXPECT_EQ(acting_after_a_step(), before);
  rule.start(theta);
  EXPECT_NE(acting_after_a_step(), before);
}

TEST(EnvelopeRule, LearnsForDrawnPreferencesWithAShareThatGrows) {
  EnvelopeOptions options = small_envelope();
  options.homotopy_final = 0.8;
  options.preferences_per_update = 3;
  const DenseShape shape{.widths = {4, 8}};
  std::vector<float> start(shape.num_parameters());
  Random numbers({7}, "theta");
  for (float& x : start) x = static_cast<float>(numbers.uniform(-1, 1));
  const TransitionBatch batch{
      .size = 1, .observations = {1, 0}, .actions = {2}, .rewards = {0.5F, -1}, .next_observations = {0, 1}, .continues = {1}};
  for (const std::int64_t steps : {0, 50, 100, 300}) {
    EnvelopeRule rule(options, 1e-3, four_actions(), shape, uniform_preference(2));
    rule.start(start);
    std::vector<float> theta = start;
    if (steps > 0) rule.after_step(theta, steps, false);
    Random random({9}, "replay");
    rule.update(theta, batch, {}, random);

    Random same({9}, "replay");
    std::vector<float> drawn;
    for (int w = 0; w < 3; ++w) {
      for (const double weight : same.dirichlet(std::vector<double>{1, 1})) drawn.push_back(static_cast<float>(weight));
    }
    EnvelopeUpdate update(shape, 2, {.gamma = options.dqn.base.gamma, .max_norm = options.dqn.max_gradient_norm, .rate = 1e-3});
    std::vector<float> expected = start;
    update.step(expected, start, batch, drawn, 0.8 * std::min(1.0, static_cast<double>(steps) / 100), {});
    EXPECT_EQ(rule.save().record("adam"), update.save()) << steps;
    EXPECT_EQ(theta, expected) << steps;
  }
}

TEST(EnvelopeRule, CopiesTheTargetEveryInterval) {
  EnvelopeOptions options = small_envelope();
  options.dqn.target_update_interval = 10;
  const DenseShape shape{.widths = {4, 8}};
  EnvelopeRule rule(options, 1e-3, four_actions(), shape, uniform_preference(2));
  std::vector<float> theta(shape.num_parameters(), 1);
  rule.start(theta);
  std::vector<float> later(theta.size(), 2);
  const auto target = [&] {
    const Record state = rule.save();
    return state.array("targets").floats()[0];
  };
  rule.after_step(later, 9, true);
  EXPECT_EQ(target(), 1);
  rule.after_step(later, 10, false);
  EXPECT_EQ(target(), 2);
}

TEST(EnvelopeRule, RefusesStatesThatItCannotHaveSaved) {
  const DenseShape shape{.widths = {4, 8}};
  EnvelopeRule rule(small_envelope(), 1e-3, four_actions(), shape, uniform_preference(2));
  std::vector<float> theta(shape.num_parameters());
  rule.start(theta);
  const Record good = rule.save();
  rule.load(good);
  Record other = good;
  other.arrays.at("acting") = Array(std::vector<float>{2, -1});
  EXPECT_THROW(rule.load(other), Error);
  other = good;
  other.scalars.at("draws_next") = 2;
  EXPECT_THROW(rule.load(other), Error);
}

TEST(EnvelopeAgent, LearnersOfAllPreferencesDrawTheSameEpisodes) {
  // Acting under drawn preferences, and learning for drawn ones: a client's own decides nothing.
  const EnvelopeAgent agent(small_envelope(), kSea);
  const auto trained = [&](const Preference& preference) {
    const Parameters initial = agent.initial_parameters(Random({1}, "test"));
    std::vector<float> theta(initial.values().begin(), initial.values().end());
    agent.learner(envelope_steps(60), preference)->train(theta, {1, 1, 0});
    return theta;
  };
  EXPECT_EQ(trained(Preference({1, 0}, 2)), trained(Preference({0, 1}, 2)));
}

}  // namespace
}  // namespace paretofl
