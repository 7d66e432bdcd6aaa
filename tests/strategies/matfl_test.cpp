#include "paretofl/personalized/matfl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using Values = std::map<std::string, Settings::Value>;

TEST(MatFl, WithAllOthersIsFedAvg) {
  const Quadratics problem({.clients = 6, .objectives = 3}, 7);
  const Values values{{"local_steps", std::int64_t{3}}, {"client_lr", 0.05}, {"neighbours", std::int64_t{5}}};
  const Values fedavg{{"local_steps", std::int64_t{3}}, {"client_lr", 0.05}, {"cohort_size", std::int64_t{6}}};
  const std::vector<float> expected = Simulation(strategy_named("fedavg", problem, fedavg), problem).run(1, 10);
  EXPECT_THAT(Simulation(strategy_named("matfl", problem, values), problem).run(1, 10), Pointwise(FloatNear(1e-4F), expected));
}

TEST(MatFl, AveragesClientsThatWantTheSame) {
  const Quadratics problem({.clients = 9,
                            .objectives = 3,
                            .heterogeneity = 0,
                            .gradient_noise = 0.01,
                            .preferences = {"groups", {.values = {{"sizes", std::vector<double>{3, 3, 3}}}, .tables = {}}}},
                           3);
  Simulation simulation(strategy_named("matfl", problem, {{"client_lr", 0.1}, {"neighbours", std::int64_t{2}}}), problem);
  simulation.run(1, 2);
  const auto& neighbours = std::get<std::vector<double>>(simulation.reports.back().metrics.values().at("neighbours"));
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 9; ++j) EXPECT_EQ(neighbours[i * 9 + j], i / 3 == j / 3 ? 1 : 0) << i << " " << j;
  }
}

TEST(MatFl, RejectsAsManyNeighboursAsClients) {
  const Quadratics problem({.clients = 6}, 7);
  for (const std::int64_t k : {0, 6, 7}) {
    try {
      strategy_named("matfl", problem, {{"neighbours", k}});
      ADD_FAILURE() << k;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("strategy.neighbours"), HasSubstr("expected"), HasSubstr("found")));
    }
  }
}

}  // namespace
}  // namespace paretofl
