#include "paretofl/scalarized/private_fedavg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::ElementsAreArray;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using Values = std::map<std::string, Settings::Value>;

Quadratics problem_of(const Component& preferences, double noise) {
  return {{.clients = 6, .objectives = 3, .condition = 4, .heterogeneity = 0, .gradient_noise = noise, .preferences = preferences}, 5};
}

Values with(Values values) {
  values.insert({{"cohort_size", std::int64_t{6}}, {"private_preferences", true}});
  return values;
}

TEST(PrivateFedAvg, OfClientsThatWantTheSameIsFedAvg) {
  const Quadratics problem = problem_of({"uniform", {}}, 0.1);
  const std::vector<float> expected = Simulation(strategy_named("fedavg", problem, {{"cohort_size", std::int64_t{4}}}), problem).run(1, 10);
  const Values values{{"cohort_size", std::int64_t{4}}, {"private_preferences", true}};
  EXPECT_THAT(Simulation(strategy_named("fedavg", problem, values), problem).run(1, 10), Pointwise(FloatNear(1e-5F), expected));
}

// With one local step the mean of the clients' gradients is that of the mean preference.
TEST(PrivateFedAvg, FindsTheParetoPointOfTheMeanPreference) {
  const Quadratics problem = problem_of({"dirichlet", {}}, 0);
  std::vector<double> mean(3);
  for (int i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 3; ++k) mean[k] += problem.preference(i)[k] / 6;
  }
  const Values values = with({{"local_steps", std::int64_t{1}}, {"client_lr", 0.5}});
  const std::vector<float> theta = Simulation(strategy_named("fedavg", problem, values), problem).run(1, 300);
  const std::vector<double> point = problem.pareto_point(mean);
  for (std::size_t j = 0; j < point.size(); ++j) EXPECT_NEAR(theta[j], point[j], 1e-4);
}

TEST(PrivateFedAvg, GivesEveryoneTheGlobalModel) {
  const Quadratics problem = problem_of({"dirichlet", {}}, 0.1);
  Simulation simulation(strategy_named("fedavg", problem, {{"cohort_size", std::int64_t{3}}, {"private_preferences", true}}), problem);
  const std::vector<float> global = simulation.run(1, 5);
  for (int i = 0; i < 6; ++i) EXPECT_THAT(simulation.server.client_models()->of(i), ElementsAreArray(global));
}

TEST(PrivateFedAvg, FineTunedModelsAreTheClientsOwn) {
  const Quadratics problem = problem_of({"dirichlet", {}}, 0.1);
  const std::vector<float> before = Simulation(strategy_named("fedavg", problem, with({})), problem).run(1, 4);
  Simulation simulation(strategy_named("fedavg", problem, with({{"fine_tune", true}})), problem);
  const std::vector<float> global = simulation.run(1, 5);
  EXPECT_EQ(global, Simulation(strategy_named("fedavg", problem, with({})), problem).run(1, 5));
  for (int i = 0; i < 6; ++i) {
    std::vector<float> theta = before;
    problem.learner(i, {})->train(theta, {1, 5, static_cast<std::uint32_t>(i)});
    EXPECT_THAT(simulation.server.client_models()->of(i), ElementsAreArray(theta));
  }
  EXPECT_NE(std::vector<float>(simulation.server.client_models()->of(0).begin(), simulation.server.client_models()->of(0).end()), global);
}

TEST(PrivateFedAvg, OfFedProxHasItsTerm) {
  const Quadratics problem = problem_of({"dirichlet", {}}, 0.1);
  const auto trained = [&](const std::string& name, const Values& values) {
    return Simulation(strategy_named(name, problem, with(values)), problem).run(1, 5);
  };
  EXPECT_EQ(trained("fedprox", {{"mu", 0.0}}), trained("fedavg", {}));
  // So strong a term lets nobody go further than its first step.
  const std::vector<float> one_step = trained("fedavg", {{"local_steps", std::int64_t{1}}, {"client_lr", 0.01}});
  const std::vector<float> ten_steps = trained("fedavg", {{"client_lr", 0.01}});
  const std::vector<float> held = trained("fedprox", {{"client_lr", 0.01}, {"mu", 100.0}});
  const Parameters start = problem.initial_parameters();
  const auto way = [&](const std::vector<float>& theta) {
    double sum = 0;
    for (std::size_t j = 0; j < theta.size(); ++j) sum += std::pow(theta[j] - start.values()[j], 2);
    return std::sqrt(sum);
  };
  EXPECT_LT(way(held), 1.2 * way(one_step));
  EXPECT_GT(way(ten_steps), 5 * way(held));
}

TEST(PrivateFedAvg, RejectsSettingsThatContradict) {
  const Quadratics problem = problem_of({"dirichlet", {}}, 0);
  const auto why = [&](const Values& values) -> std::string {
    try {
      strategy_named("fedavg", problem, values);
      return "nothing";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(why({{"cohort_size", std::int64_t{6}}, {"fine_tune", true}}), HasSubstr("strategy.fine_tune: expected private_preferences"));
  EXPECT_THAT(why({{"cohort_size", std::int64_t{5}}, {"fine_tune", true}, {"private_preferences", true}}),
              HasSubstr("strategy.cohort_size: expected all 6 clients with fine_tune, found 5"));
  EXPECT_THAT(why(with({{"objective_weights", std::vector<double>{1, 1, 1}}})), HasSubstr("strategy.objective_weights: expected none"));
  EXPECT_EQ(why(with({{"fine_tune", true}})), "nothing");
}

}  // namespace
}  // namespace paretofl
