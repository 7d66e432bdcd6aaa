// What every registered environment promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "paretofl/core/error.h"
#include "paretofl/environments/environment.h"

namespace paretofl {
namespace {

using Numbers = std::vector<double>;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// An environment under random actions; starts the next episode when one has ended.
class RandomPlayer {
 public:
  explicit RandomPlayer(const std::string& id, StreamId stream = {.seed = 3})
      : environment(make_environment(id)),
        observation(environment->spec().observation.size()),
        reward(environment->num_objectives()),
        random_({.seed = 9}, "actions"),
        action_(environment->spec().action.size()) {
    environment->reset(stream, observation);
  }

  void step() {
    if (outcome.ended()) environment->reset(observation);
    steps = outcome.ended() ? 1 : steps + 1;
    environment->spec().action.sample(random_, action_);
    outcome = environment->step(action_, observation, reward);
  }

  std::unique_ptr<Environment> environment;
  Numbers observation;
  Numbers reward;
  StepOutcome outcome;
  std::int64_t steps = 0;  ///< of this episode

 private:
  Random random_;
  Numbers action_;
};

class EnvironmentConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  /// `many`, or `few` where MuJoCo takes its time: at least more than an episode's limit of 1000 steps.
  static int steps_of(const EnvironmentSpec& spec, int many, int few) {
    return spec.observation.type == ObservationSpace::Type::kFloat64 ? few : many;
  }

  const std::string id_ = GetParam()->name;
};

TEST_P(EnvironmentConformance, SaysWhatItIs) {
  const auto environment = make_environment(id_);
  const EnvironmentSpec& spec = environment->spec();
  EXPECT_EQ(spec.id, id_);
  EXPECT_FALSE(GetParam()->summary.empty());
  EXPECT_FALSE(GetParam()->reference.empty());
  EXPECT_GE(environment->num_objectives(), 2);
  EXPECT_GT(spec.observation.size(), 0);
  ASSERT_EQ(spec.observation.low.size(), spec.observation.high.size());
  for (std::size_t i = 0; i < spec.observation.size(); ++i) EXPECT_LT(spec.observation.low[i], spec.observation.high[i]);
  EXPECT_GT(spec.action.size(), 0);
  EXPECT_EQ(spec.action.low.size(), spec.action.high.size());
  EXPECT_GE(spec.max_episode_steps, 0);
  EXPECT_TRUE(spec.max_episode_steps > 0 || spec.always_terminates) << "an episode could go on for ever";
}

TEST_P(EnvironmentConformance, StaysFiniteAndInItsBounds) {
  RandomPlayer player(id_);
  const EnvironmentSpec& spec = player.environment->spec();
  const auto rounded = [&](double value) {
    switch (spec.observation.type) {
      case ObservationSpace::Type::kInt32:
        return std::round(value);
      case ObservationSpace::Type::kFloat32:
        return static_cast<double>(static_cast<float>(value));
      default:
        return value;
    }
  };
  int ends = 0;
  const char* asked = std::getenv("PARETOFL_RANDOM_STEPS");
  const int steps = asked == nullptr ? steps_of(spec, 20000, 1500) : std::stoi(asked);
  for (int i = 0; i < steps; ++i) {
    std::fill(player.reward.begin(), player.reward.end(), std::nan(""));
    std::fill(player.observation.begin(), player.observation.end(), std::nan(""));
    player.step();
    for (const double reward : player.reward) ASSERT_EQ(reward, static_cast<float>(reward)) << i;
    for (std::size_t k = 0; k < spec.observation.size(); ++k) {
      ASSERT_GE(player.observation[k], spec.observation.low[k]) << i;
      ASSERT_LE(player.observation[k], spec.observation.high[k]) << i;
      ASSERT_TRUE(std::isfinite(player.observation[k])) << i;
      ASSERT_EQ(player.observation[k], rounded(player.observation[k])) << i;
    }
    ends += player.outcome.ended() ? 1 : 0;
    ASSERT_EQ(player.outcome.truncated, spec.max_episode_steps > 0 && player.steps == spec.max_episode_steps);
  }
  EXPECT_GT(ends, 0);
}

TEST_P(EnvironmentConformance, IsAFunctionOfSeedAndActions) {
  RandomPlayer first(id_);
  RandomPlayer second(id_);
  RandomPlayer used(id_, {.seed = 77});
  for (int i = 0; i < 100; ++i) used.step();
  used.environment->reset({.seed = 3}, used.observation);
  EXPECT_EQ(used.observation, first.observation);
  EXPECT_EQ(used.environment->save(), first.environment->save());
  const int steps = steps_of(first.environment->spec(), 3000, 1200);
  for (int i = 0; i < steps; ++i) {
    first.step();
    second.step();
    ASSERT_EQ(first.observation, second.observation);
    ASSERT_EQ(first.reward, second.reward);
    ASSERT_EQ(first.environment->save(), second.environment->save());
  }
}

TEST_P(EnvironmentConformance, GoesOnFromASavedState) {
  RandomPlayer player(id_);
  const int checkpoints = steps_of(player.environment->spec(), 20, 10);
  for (int checkpoint = 0; checkpoint < checkpoints; ++checkpoint) {
    for (int i = 0; i < 97; ++i) player.step();
    RandomPlayer copy(id_, {.seed = 1000});
    copy.environment->load(player.environment->save());
    copy.environment->observe(copy.observation);
    ASSERT_EQ(copy.observation, player.observation);
    ASSERT_EQ(copy.environment->save(), player.environment->save());
    Random random({.seed = static_cast<std::uint64_t>(checkpoint)}, "actions");
    Numbers action(player.environment->spec().action.size());
    StepOutcome outcome = player.outcome;
    for (int i = 0; i < 50; ++i) {
      if (outcome.ended()) {
        player.environment->reset(player.observation);
        copy.environment->reset(copy.observation);
        ASSERT_EQ(copy.observation, player.observation);
      }
      player.environment->spec().action.sample(random, action);
      outcome = player.environment->step(action, player.observation, player.reward);
      const StepOutcome other = copy.environment->step(action, copy.observation, copy.reward);
      ASSERT_EQ(copy.observation, player.observation);
      ASSERT_EQ(copy.reward, player.reward);
      ASSERT_EQ(other.terminated, outcome.terminated);
      ASSERT_EQ(other.truncated, outcome.truncated);
    }
    player.outcome = outcome;
  }
}

TEST_P(EnvironmentConformance, LoadsNothingElse) {
  RandomPlayer player(id_);
  player.step();
  const Record good = player.environment->save();
  EXPECT_THROW(player.environment->load({}), Error);
  Record other = good;
  other.texts.at("environment") = "another-v0";
  EXPECT_THROW(player.environment->load(other), Error);
  Record stateless = good;
  stateless.records.clear();
  EXPECT_THROW(player.environment->load(stateless), Error);
  Record empty = good;
  empty.records.at("state") = {};
  EXPECT_THROW(player.environment->load(empty), Error);
  Record short_of_numbers = good;
  for (auto& [name, array] : short_of_numbers.records.at("state").arrays) array = Array(std::vector<double>{});
  EXPECT_THROW(player.environment->load(short_of_numbers), Error);
  Record late = good;
  late.arrays.at("progress") = Array(std::vector<std::int64_t>{1, 0, 0, 0, -1, 1});
  EXPECT_THROW(player.environment->load(late), Error);
  late.arrays.at("progress") = Array(std::vector<std::int64_t>{1, 0, 0, 0, 1, 7});
  EXPECT_THROW(player.environment->load(late), Error);
  EXPECT_NO_THROW(player.environment->load(good));
}

TEST_P(EnvironmentConformance, LoadsNoEpisodeThatGoesOnAtItsLimit) {
  const std::int64_t limit = make_environment(id_)->spec().max_episode_steps;
  if (limit == 0) return;
  RandomPlayer player(id_);
  Record state = player.environment->save();
  state.arrays.at("progress") = Array(std::vector<std::int64_t>{1, 0, 0, 0, limit, 1});
  EXPECT_THAT([&] { player.environment->load(state); }, ThrowsMessage<Error>(HasSubstr("expected an episode that has ended")));
}

TEST_P(EnvironmentConformance, RefusesIllegalActionsAndChangesNothing) {
  RandomPlayer player(id_);
  const Record before = player.environment->save();
  const EnvironmentSpec& spec = player.environment->spec();
  std::vector<Numbers> illegal = {
      {}, Numbers(spec.action.size() + 1, 0), Numbers(spec.action.size(), std::nan("")), Numbers(spec.action.size(), kInfinity)};
  if (spec.action.discrete()) {
    for (const double action : {-1.0, 0.5, static_cast<double>(spec.action.choices)}) illegal.push_back({action});
  }
  for (const Numbers& action : illegal) {
    EXPECT_THAT([&] { player.environment->step(action, player.observation, player.reward); },
                ThrowsMessage<Error>(HasSubstr(id_ + ": expected an")));
    EXPECT_EQ(player.environment->save(), before);
  }
}

TEST_P(EnvironmentConformance, WantsAResetBeforeTheFirstStepAndAfterTheLast) {
  const auto fresh = make_environment(id_);
  Numbers observation(fresh->spec().observation.size());
  Numbers reward(fresh->num_objectives());
  const Numbers action(fresh->spec().action.size(), 0);
  EXPECT_THAT([&] { fresh->step(action, observation, reward); }, ThrowsMessage<Error>(HasSubstr("expected a reset before the first step")));
  EXPECT_THAT([&] { fresh->reset(observation); }, ThrowsMessage<Error>(HasSubstr("expected a seed in the first reset")));
  fresh->load(make_environment(id_)->save());
  EXPECT_THROW(fresh->step(action, observation, reward), Error);
  EXPECT_THAT([&] { fresh->observe(observation); }, ThrowsMessage<Error>(HasSubstr("expected a reset before the first observation")));

  RandomPlayer player(id_);
  while (!player.outcome.ended()) player.step();
  EXPECT_THAT([&] { player.environment->step(action, observation, reward); },
              ThrowsMessage<Error>(HasSubstr("expected a reset after the episode's end")));
  EXPECT_NO_THROW(player.step());
}

INSTANTIATE_TEST_SUITE_P(All, EnvironmentConformance, testing::ValuesIn(environments().entries()), [](const auto& info) {
  std::string name = info.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(EnvironmentRegistry, NamesTheNearestId) {
  EXPECT_THAT([] { make_environment("deep-sea-tresure-v0"); },
              ThrowsMessage<Error>(HasSubstr("found 'deep-sea-tresure-v0'; did you mean deep-sea-treasure-v0?")));
}

}  // namespace
}  // namespace paretofl
