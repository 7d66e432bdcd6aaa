#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/agents/capql.h"
#include "paretofl/agents/capql_rule.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

CapqlOptions small_capql() {
  CapqlOptions options;
  options.base.hidden = {8};
  options.base.learning_starts = 10;
  options.base.batch_size = 4;
  return options;
}

const CapqlShape kRuleShape{.critic = {.widths = {4, 5, 2}}, .actor = {.widths = {3, 5, 2}}};
const ActionSpace kFromTwoToSix{.choices = 0, .low = {2}, .high = {6}};

TEST(Capql, HasEvenlySpacedPreferencesForItsFront) {
  CapqlOptions options = small_capql();
  options.front_preferences = 3;
  const auto preferences = Capql(options, "mo-mountaincarcontinuous-v0").front_preferences();
  EXPECT_THAT(preferences, testing::ElementsAre(Preference({0, 1}, 2), Preference({0.5, 0.5}, 2), Preference({1, 0}, 2)));
}

TEST(Capql, NeedsContinuousActions) {
  EXPECT_THAT([] { return Capql(small_capql(), "deep-sea-treasure-v0"); },
              testing::ThrowsMessage<Error>(
                  testing::HasSubstr("capql: expected an environment of continuous actions, found deep-sea-treasure-v0")));
}

TEST(Capql, SendsTheTargetsOfTheCriticsAloneAndBeginsWithCopies) {
  CapqlOptions options = small_capql();
  const Capql without(options, "mo-mountaincarcontinuous-v0");
  options.base.send_target = true;
  const Capql with(options, "mo-mountaincarcontinuous-v0");
  std::vector<std::string> names;
  for (const Slice& slice : with.layout()->slices()) names.push_back(slice.name.substr(0, slice.name.find('.')));
  names.erase(std::unique(names.begin(), names.end()), names.end());
  EXPECT_THAT(names, testing::ElementsAre("critic1", "critic2", "actor", "target_critic1", "target_critic2"));

  const Parameters initial = with.initial_parameters(Random({1}, "test"));
  const std::size_t trained = without.layout()->size();
  const std::size_t critics = with.layout()->size() - trained;
  const auto values = initial.values();
  EXPECT_THAT(std::vector(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(critics)),
              testing::ElementsAreArray(values.last(critics)));
  EXPECT_THAT(std::vector(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(trained)),
              testing::ElementsAreArray(without.initial_parameters(Random({1}, "test")).values()));
}

TEST(CapqlPolicy, ActsByTheModeUnderItsPreference) {
  // Mean w_1 - w_2 whatever the observation is, and a deviation that plays no part.
  const CapqlShape shape{.critic = {.widths = {4, 2}}, .actor = {.widths = {3, 2}}};
  std::vector<float> theta(shape.num_parameters());
  const std::span<float> actor = shape.actor_of(std::span(theta));
  actor[1] = 1;  // of the mean: observation, w_1, w_2
  actor[2] = -1;
  actor[7] = 1.5F;  // bias of the logarithm of the deviation
  const auto action_under = [&](double first) {
    double action = 0;
    const double observation = 0.3;
    CapqlPolicy(shape, kFromTwoToSix, Preference({first, 1 - first}, 2)).act(theta, {&observation, 1}, {&action, 1});
    return action;
  };
  EXPECT_NEAR(action_under(0.5), 4, 1e-6);
  EXPECT_NEAR(action_under(1), 4 + 2 * std::tanh(1.0), 1e-6);
  EXPECT_NEAR(action_under(0), 4 - 2 * std::tanh(1.0), 1e-6);
}

struct Explored {
  std::vector<double> actions;
  std::vector<double> remembered;
  std::vector<std::vector<float>> preferences;
};

/// Nine steps; every third ends an episode.
Explored explore_with(const std::string& acting, bool warming_up) {
  CapqlOptions options = small_capql();
  options.acting = acting;
  CapqlRule rule(options, 1e-3, kFromTwoToSix, kRuleShape, Preference({0.25, 0.75}, 2));
  std::vector<float> theta(kRuleShape.num_parameters());
  rule.start(theta);
  Random random({5}, "explore");
  Explored explored;
  for (std::int64_t step = 0; step < 9; ++step) {
    double action = 0, remembered = 0;
    const double observation = 0;
    rule.choose(theta, {&observation, 1}, step, warming_up, random, {&action, 1}, {&remembered, 1});
    const Record state = rule.save();
    const auto weights = state.array("acting").floats();
    explored.actions.push_back(action);
    explored.remembered.push_back(remembered);
    explored.preferences.emplace_back(weights.begin(), weights.end());
    rule.after_step(theta, step + 1, step % 3 == 2);
  }
  return explored;
}

TEST(CapqlRule, DrawsAPreferenceForEachEpisodeAndAnActionForEachStep) {
  for (const bool warming_up : {false, true}) {
    const Explored explored = explore_with("drawn", warming_up);
    for (std::size_t step = 0; step < 9; ++step) {
      EXPECT_NEAR(explored.actions[step], 4 + 2 * explored.remembered[step], 1e-9);
      EXPECT_THAT(explored.remembered[step], testing::AllOf(testing::Ge(-1), testing::Le(1)));
      if (step > 0) {
        EXPECT_NE(explored.remembered[step], explored.remembered[step - 1]);
        EXPECT_EQ(explored.preferences[step] == explored.preferences[step - 1], step % 3 != 0);
      }
    }
  }
}

TEST(CapqlRule, ActsUnderItsOwnPreferenceWhereAsked) {
  EXPECT_THAT(explore_with("own", false).preferences, testing::Each(testing::ElementsAre(0.25F, 0.75F)));
}

TEST(CapqlRule, LearnsForPreferencesDrawnForEachTransition) {
  CapqlOptions options = small_capql();
  options.base.gamma = 0.9;
  options.alpha = 0.3;
  options.tau = 0.1;
  CapqlRule rule(options, 1e-3, kFromTwoToSix, kRuleShape, uniform_preference(2));
  std::vector<float> start(kRuleShape.num_parameters());
  Random numbers({7}, "theta");
  for (float& x : start) x = static_cast<float>(numbers.uniform(-1, 1));
  const TransitionBatch batch{.size = 2,
                              .observations = {1, 0.5F},
                              .actions = {0.2F, -0.3F},
                              .rewards = {0.5F, -1, 2, 0},
                              .next_observations = {0, 1},
                              .continues = {1, 1}};
  rule.start(start);
  std::vector<float> theta = start;
  Random random({9}, "replay");
  rule.update(theta, batch, {}, random);

  Random same({9}, "replay");
  CapqlDraws draws;
  for (int i = 0; i < 2; ++i) {
    for (const double weight : same.dirichlet(std::vector<double>{1, 1})) draws.preferences.push_back(static_cast<float>(weight));
  }
  for (std::vector<float>* noise : {&draws.next_noise, &draws.noise}) {
    for (int i = 0; i < 2; ++i) noise->push_back(static_cast<float>(same.normal()));
  }
  CapqlUpdate update(kRuleShape, {.gamma = 0.9, .tau = 0.1, .alpha = 0.3, .rate = 1e-3});
  std::vector<float> expected = start;
  std::vector<float> targets(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(kRuleShape.critic_parameters()));
  update.step(expected, targets, batch, draws, {});
  EXPECT_EQ(theta, expected);
  EXPECT_THAT(rule.save().array("targets").floats(), testing::ElementsAreArray(targets));
}

TEST(CapqlRule, RefusesStatesThatItCannotHaveSaved) {
  CapqlRule rule(small_capql(), 1e-3, kFromTwoToSix, kRuleShape, uniform_preference(2));
  rule.start(std::vector<float>(kRuleShape.num_parameters()));
  const Record good = rule.save();
  rule.load(good);
  Record other = good;
  other.arrays.at("acting") = Array(std::vector<float>{2, -1});
  EXPECT_THROW(rule.load(other), Error);
  other = good;
  other.arrays.at("targets") = Array(std::vector<float>{1});
  EXPECT_THROW(rule.load(other), Error);
}

TEST(Capql, LearnersOfAllPreferencesDrawTheSameEpisodes) {
  const Capql agent(small_capql(), "mo-mountaincarcontinuous-v0");
  const auto trained = [&](const Preference& preference) {
    const Parameters initial = agent.initial_parameters(Random({1}, "test"));
    std::vector<float> theta(initial.values().begin(), initial.values().end());
    agent.learner({.local_steps = 60, .client_lr = 1e-3, .optimizer = "adam"}, preference)->train(theta, {1, 1, 0});
    return theta;
  };
  EXPECT_EQ(trained(Preference({1, 0}, 2)), trained(Preference({0, 1}, 2)));
}

}  // namespace
}  // namespace paretofl
