#include "paretofl/strategies/pareto_manifold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using ManifoldValues = std::map<std::string, Settings::Value>;

ManifoldValues manifold_values(ManifoldValues more = {}) {
  more.insert({{"cohort_size", std::int64_t{3}}, {"local_steps", std::int64_t{4}}, {"client_lr", 0.1}});
  return more;
}

TEST(ParetoManifold, WithOneObjectiveIsFedAvgToTheBit) {
  const Quadratics problem({.clients = 5, .objectives = 1, .gradient_noise = 0.2}, 3);
  for (const char* optimizer : {"sgd", "adam"}) {
    const auto trained = [&](const std::string& name) {
      Simulation simulation(strategy_named(name, problem, manifold_values({{"optimizer", std::string(optimizer)}})), problem);
      return simulation.run(1, 5);
    };
    EXPECT_EQ(trained("pareto_manifold"), trained("fedavg"));
  }
}

// A large concentration draws the uniform preference alone: equal vertices stay equal, and each takes 1/M of the step of their mean.
TEST(ParetoManifold, AtTheUniformPreferenceIsFedAvgWithAnMthOfTheRate) {
  const Quadratics problem({.clients = 3, .objectives = 2, .gradient_noise = 0}, 3);
  const std::vector<float> expected =
      Simulation(strategy_named("fedavg", problem, manifold_values({{"client_lr", 0.05}})), problem).run(1, 5);
  const std::vector<float> found =
      Simulation(strategy_named("pareto_manifold", problem, manifold_values({{"concentration", 1e6}})), problem).run(1, 5);
  EXPECT_THAT(found, Pointwise(FloatNear(5e-3F), expected));
}

// Clients alike, so that no noise is left at the solution. With equal curvatures the Pareto set is the segment between the objectives'
// minimizers, which is linear in the preference.
TEST(ParetoManifold, FindsTheWholeParetoSetOfQuadratics) {
  const Quadratics problem({.clients = 4, .objectives = 2, .condition = 1, .heterogeneity = 0, .gradient_noise = 0}, 3);
  Simulation simulation(strategy_named("pareto_manifold", problem,
                                       {{"cohort_size", std::int64_t{4}},
                                        {"local_steps", std::int64_t{5}},
                                        {"client_lr", 0.3},
                                        {"preferences_per_step", std::int64_t{4}}}),
                        problem);
  simulation.run(1, 200);
  const ModelSimplex& simplex = *simulation.server.model_simplex();
  ASSERT_EQ(simplex.preferences().size(), 5U);
  for (const std::vector<double>& preference : simplex.preferences()) {
    const std::vector<double> wanted = problem.pareto_point(preference);
    const std::vector<float> found = simplex.at(preference);
    for (std::size_t j = 0; j < found.size(); ++j) EXPECT_NEAR(found[j], wanted[j], 1e-3) << preference[0] << " " << j;
  }
}

TEST(ParetoManifold, ClientsAnswerTheVerticesWithAnUpdateOfThem) {
  const Quadratics problem({.clients = 3, .objectives = 2}, 3);
  const Strategy strategy = strategy_named("pareto_manifold", problem, manifold_values());
  ClientHost host(strategy.client);
  const std::size_t d = problem.layout()->size();
  const Reply reply = host.handle({1, Request("train_vertices").with(std::vector<float>(2 * d))});
  EXPECT_FALSE(reply.error);
  EXPECT_EQ(reply.update.size(), 2 * d);
  EXPECT_TRUE(host.handle({1, Request("train_vertices").with(std::vector<float>(d))}).error);
}

TEST(ParetoManifold, RejectsSettingsThatContradict) {
  const Quadratics problem({.clients = 3, .objectives = 2}, 3);
  const auto why = [&](ManifoldValues values, std::map<std::string, std::string> components = {}) -> std::string {
    try {
      strategy_named("pareto_manifold", problem, manifold_values(std::move(values)), std::move(components));
      return "nothing";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why({{"order_penalty", 0.1}, {"preferences_per_step", std::int64_t{2}}}), "nothing");
  EXPECT_THAT(why({{"order_penalty", 0.1}}), HasSubstr("strategy.preferences_per_step: expected 2 or more with order_penalty, found 1"));
  EXPECT_THAT(why({{"front_preferences", std::int64_t{0}}}), HasSubstr("front_preferences"));
  EXPECT_THAT(why({{"concentration", 0.0}}), HasSubstr("concentration"));
  EXPECT_THAT(why({}, {{"solver", "no_such_solver"}}), HasSubstr("no_such_solver"));
  for (const char* solver : {"min_norm", "famo", "moco", "cr_mogm"}) {
    EXPECT_THAT(why({}, {{"solver", solver}}), HasSubstr("strategy.solver: expected one that uses a preference")) << solver;
  }
  EXPECT_THAT(why({}, {{"solver", "modo"}}), HasSubstr("found one that needs two independent samples"));
  EXPECT_THAT(why({}, {{"solver", "sdmgrad"}}), HasSubstr("strategy.solver: expected one that needs no weights of the step before"));
}

}  // namespace
}  // namespace paretofl
