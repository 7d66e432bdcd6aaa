// The networks that agents export act as their policies do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/agents/agent.h"
#include "paretofl/models/initialize.h"
#include "tests/network_interpreter.h"

namespace paretofl {
namespace {

constexpr std::size_t kObservations = 20;

/// Acts on random observations by both, and returns the largest difference of an action's numbers.
double largest_difference(const std::string& name, const std::string& environment, bool send_target) {
  Settings settings;
  settings.values = {{"hidden", std::vector<double>{8, 8}}, {"send_target", send_target}};
  const auto agent = agents().at(name).make(settings, environment);
  const EnvironmentSpec spec = make_environment(environment)->spec();
  std::vector<float> theta(agent->layout()->size());
  initialize_by_fan_in(*agent->layout(), Random({1}, "theta"), theta);
  const auto graph = agent->network();
  EXPECT_TRUE(graph.has_value());
  const auto policy = agent->policy(uniform_preference(spec.objective_names.size()));
  Random random({2}, "observations");
  const std::vector<double> weights(spec.objective_names.size(),
                                    static_cast<float>(1.0 / static_cast<double>(spec.objective_names.size())));
  NetworkInterpreter::Tensor preferences{{kObservations, static_cast<std::int64_t>(weights.size())}, {}};
  NetworkInterpreter::Tensor observations{{kObservations, static_cast<std::int64_t>(spec.observation.size())}, {}};
  std::vector<double> expected;
  for (std::size_t n = 0; n < kObservations; ++n) {
    std::vector<double> observation(spec.observation.size()), action(spec.action.size());
    for (double& x : observation) x = static_cast<float>(5 * random.normal());
    policy->act(theta, observation, action);
    preferences.values.insert(preferences.values.end(), weights.begin(), weights.end());
    observations.values.insert(observations.values.end(), observation.begin(), observation.end());
    expected.insert(expected.end(), action.begin(), action.end());
  }
  const auto outputs =
      NetworkInterpreter(*graph, *agent->layout(), theta).run({{"observation", observations}, {"preference", preferences}});
  const std::vector<double>& actions = outputs.at("action").values;
  EXPECT_EQ(actions.size(), expected.size());
  EXPECT_THAT(expected, testing::Contains(testing::Ne(expected[0]))) << "the observations decide";
  double difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) difference = std::max(difference, std::abs(actions[i] - expected[i]));
  return difference;
}

TEST(AgentNetwork, OfDqnChoosesTheActionsOfThePolicy) {
  EXPECT_EQ(largest_difference("dqn", "minecart-deterministic-v0", false), 0);
  EXPECT_EQ(largest_difference("dqn", "minecart-deterministic-v0", true), 0);
}

TEST(AgentNetwork, OfEnvelopeChoosesTheActionsUnderThePreference) {
  EXPECT_EQ(largest_difference("envelope_dqn", "minecart-deterministic-v0", false), 0);
  EXPECT_EQ(largest_difference("envelope_dqn", "minecart-deterministic-v0", true), 0);
}

TEST(AgentNetwork, OfDdpgActsBetweenTheBounds) {
  EXPECT_LT(largest_difference("ddpg", "mo-halfcheetah-v4", false), 1e-5);
  EXPECT_LT(largest_difference("ddpg", "mo-lunar-lander-continuous-v2", true), 1e-5);
}

TEST(AgentNetwork, OfCapqlActsUnderThePreference) {
  EXPECT_LT(largest_difference("capql", "mo-halfcheetah-v4", false), 1e-5);
  EXPECT_LT(largest_difference("capql", "mo-lunar-lander-continuous-v2", true), 1e-5);
}

}  // namespace
}  // namespace paretofl
