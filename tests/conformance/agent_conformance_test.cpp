// What every registered agent promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/agents/agent.h"
#include "paretofl/core/error.h"
#include "paretofl/models/initialize.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

const std::vector<std::string> kEnvironments = {"deep-sea-treasure-v0", "mo-halfcheetah-v4"};

class AgentConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  static Settings small() {
    Settings settings;
    settings.values = {{"hidden", std::vector<double>{8, 8}}, {"learning_starts", std::int64_t{20}}, {"batch_size", std::int64_t{8}}};
    return settings;
  }

  std::unique_ptr<Agent> make(const std::string& environment, const Settings& settings = small()) const {
    return agents().at(GetParam()->name).make(settings, environment);
  }

  /// The environment that suits it: of one kind of actions it learns, of the other it says that it can't.
  std::string environment() const {
    std::vector<std::string> suitable;
    for (const std::string& id : kEnvironments) {
      try {
        make(id);
        suitable.push_back(id);
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("expected"), testing::HasSubstr(id)));
      }
    }
    EXPECT_EQ(suitable.size(), 1U);
    return suitable.at(0);
  }

  std::vector<float> initial(const Agent& agent) const {
    std::vector<float> theta(agent.layout()->size());
    initialize_by_fan_in(*agent.layout(), Random({1}, "test"), theta);
    return theta;
  }

  LocalTrainingOptions local(std::int64_t steps, double proximal = 0) const {
    return {.local_steps = steps, .client_lr = 1e-3, .optimizer = "adam", .proximal = proximal};
  }
};

TEST_P(AgentConformance, ActsLegally) {
  const std::string id = environment();
  const auto agent = make(id);
  const auto environment = make_environment(id);
  const EnvironmentSpec& spec = environment->spec();
  std::vector<double> observation(spec.observation.size());
  std::vector<double> action(spec.action.size());
  std::vector<double> reward(spec.objective_names.size());
  const auto policy = agent->policy(uniform_preference(2));
  for (const float scale : {1.0F, 1e6F}) {
    std::vector<float> theta = initial(*agent);
    for (float& x : theta) x *= scale;
    environment->reset({1}, observation);
    for (StepOutcome outcome; !outcome.ended();) {
      policy->act(theta, observation, action);
      for (std::size_t i = 0; !spec.action.discrete() && i < action.size(); ++i) {
        EXPECT_THAT(action[i], testing::AllOf(testing::Ge(spec.action.low[i]), testing::Le(spec.action.high[i])));
      }
      outcome = environment->step(action, observation, reward);
    }
  }
}

TEST_P(AgentConformance, TheStreamDecides) {
  const auto agent = make(environment());
  const auto trained = [&](std::uint64_t seed) {
    std::vector<float> theta = initial(*agent);
    agent->learner(local(60), uniform_preference(2))->train(theta, {seed, 1, 0});
    return theta;
  };
  EXPECT_EQ(trained(1), trained(1));
  EXPECT_NE(trained(1), trained(2));
}

TEST_P(AgentConformance, ThePreferenceDecides) {
  const auto agent = make(environment());
  const Preference first({1, 0}, 2), second({0, 1}, 2);
  if (!agent->front_preferences().empty()) {  // of networks that take it as an input: how they act
    const EnvironmentSpec spec = make_environment(environment())->spec();
    const std::vector<float> theta = initial(*agent);
    Random random({1}, "observations");
    std::vector<double> observation(spec.observation.size());
    std::vector<double> action(spec.action.size()), other(spec.action.size());
    int different = 0;
    for (int i = 0; i < 100; ++i) {
      for (double& x : observation) x = random.normal();
      agent->policy(first)->act(theta, observation, action);
      agent->policy(second)->act(theta, observation, other);
      different += action == other ? 0 : 1;
    }
    EXPECT_GT(different, 0);
    return;
  }
  const auto trained = [&](const Preference& preference) {
    std::vector<float> theta = initial(*agent);
    agent->learner(local(60), preference)->train(theta, {1, 1, 0});
    return theta;
  };
  EXPECT_NE(trained(first), trained(second));
}

TEST_P(AgentConformance, RoundsOfAnyLengthGoOnFromSavedStatesBitForBit) {
  const auto agent = make(environment());
  const auto trained = [&](bool saved) {
    std::vector<float> theta = initial(*agent);
    auto learner = agent->learner(local(37), uniform_preference(2));
    for (std::uint32_t round = 1; round <= 4; ++round) {
      if (saved) {
        Record state;
        learner->save(state);
        learner = agent->learner(local(37), uniform_preference(2));
        learner->load(decode_state(encode(state)));
      }
      learner->train(theta, {1, round, 3});
    }
    return theta;
  };
  EXPECT_EQ(trained(true), trained(false));
}

TEST_P(AgentConformance, AProximalTermHoldsItBack) {
  const auto agent = make(environment());
  const auto moved = [&](double mu) {
    const std::vector<float> start = initial(*agent);
    std::vector<float> theta = start;
    agent->learner(local(150, mu), uniform_preference(2))->train(theta, {1, 1, 0});
    double sum = 0;
    for (std::size_t i = 0; i < theta.size(); ++i) sum += std::pow(theta[i] - start[i], 2);
    return std::sqrt(sum);
  };
  EXPECT_LT(moved(1000), 0.8 * moved(0));
}

TEST_P(AgentConformance, RejectsBadSettings) {
  const auto agent = make(environment());
  LocalTrainingOptions sgd = local(1);
  sgd.optimizer = "sgd";
  EXPECT_THAT([&] { agent->learner(sgd, uniform_preference(2)); }, testing::ThrowsMessage<Error>(testing::HasSubstr("strategy.optimizer")));
  EXPECT_THAT([&] { agent->learner(local(1), uniform_preference(3)); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("expected a preference over 2 objectives, found 3")));
  EXPECT_THROW(make("no-such-environment-v0"), Error);
  for (const auto& [key, value] : std::map<std::string, Settings::Value>{{"batch_size", std::int64_t{0}},
                                                                         {"buffer_size", std::int64_t{0}},
                                                                         {"gamma", 1.5},
                                                                         {"train_freq", std::int64_t{0}},
                                                                         {"gradient_steps", std::int64_t{-2}},
                                                                         {"hidden", std::vector<double>{8, 0}},
                                                                         {"hidden", std::vector<double>{8.5}},
                                                                         {"no_such_key", true}}) {
    Settings bad = small();
    bad.values.insert_or_assign(key, value);
    EXPECT_THROW(make(environment(), bad), Error) << key;
  }
}

TEST_P(AgentConformance, RejectsStatesOfOthers) {
  const auto agent = make(environment());
  std::vector<float> theta = initial(*agent);
  const auto learner = agent->learner(local(30), uniform_preference(2));
  learner->train(theta, {1, 1, 0});
  Record good;
  learner->save(good);
  for (const char* part : {"rule", "environment"}) {
    Record bad = good;
    bad.records.erase(part);
    EXPECT_THROW(agent->learner(local(30), uniform_preference(2))->load(bad), Error) << part;
  }
  Settings wider = small();
  wider.values.insert_or_assign("hidden", std::vector<double>{9, 8});
  EXPECT_THROW(make(environment(), wider)->learner(local(30), uniform_preference(2))->load(good), Error);
}

INSTANTIATE_TEST_SUITE_P(All, AgentConformance, testing::ValuesIn(agents().entries()), [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace paretofl
