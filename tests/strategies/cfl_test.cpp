#include "paretofl/personalized/cfl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/objectives/adjusted_rand_index.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using Values = std::map<std::string, Settings::Value>;

Quadratics two_groups(double noise) {
  return {{.clients = 8,
           .objectives = 2,
           .heterogeneity = 0,
           .gradient_noise = noise,
           .preferences = {"groups", {.values = {{"sizes", std::vector<double>{3, 5}}}, .tables = {}}}},
          3};
}

TEST(Cfl, ThatNeverSplitsIsFedAvg) {
  const Quadratics problem({.clients = 6, .objectives = 3}, 7);
  Values values{{"local_steps", std::int64_t{3}}, {"client_lr", 0.05}, {"threshold", 0.0}};
  const Values fedavg{{"local_steps", std::int64_t{3}}, {"client_lr", 0.05}, {"cohort_size", std::int64_t{6}}};
  const std::vector<float> expected = Simulation(strategy_named("fedavg", problem, fedavg), problem).run(1, 10);
  EXPECT_THAT(Simulation(strategy_named("cfl", problem, values), problem).run(1, 10), Pointwise(FloatNear(1e-4F), expected));
}

// The largest update tells clusters of one group, whose members come to rest, from mixed ones, whose mean alone does.
TEST(Cfl, SeparatesTwoGroupsAndServesBoth) {
  const Quadratics problem = two_groups(0.01);
  Simulation simulation(strategy_named("cfl", problem, {{"client_lr", 0.1}, {"threshold", 0.2}, {"client_threshold", 0.5}}), problem);
  simulation.run(1, 100);
  const auto& clusters = std::get<std::vector<double>>(simulation.reports.back().metrics.values().at("clusters"));
  EXPECT_EQ(adjusted_rand_index(clusters, std::vector<double>{0, 0, 0, 1, 1, 1, 1, 1}), 1);
  for (int i = 0; i < 8; ++i) {
    const std::vector<double> wanted = problem.pareto_point(problem.preference(i).weights());
    for (std::size_t j = 0; j < wanted.size(); ++j) EXPECT_NEAR(simulation.server.client_models()->of(i)[j], wanted[j], 0.05);
  }
}

TEST(Cfl, RejectsOptionsOutOfRange) {
  const Quadratics problem = two_groups(0);
  for (const auto& [key, value] : std::vector<std::pair<std::string, Settings::Value>>{
           {"threshold", -0.1}, {"client_threshold", -1.0}, {"patience", std::int64_t{0}}, {"client_weighting", std::string("all")}}) {
    try {
      strategy_named("cfl", problem, {{key, value}});
      ADD_FAILURE() << key;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("strategy." + key), HasSubstr("expected"), HasSubstr("found")));
    }
  }
}

}  // namespace
}  // namespace paretofl
