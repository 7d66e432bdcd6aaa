// What clients keep within a round is gone with it, also where they were not asked for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using Values = std::map<std::string, Settings::Value>;

/// The error of `second` in round 1, after client 0 answered `first` in it and client 1 was asked in round 2.
std::string error_after_the_round(const std::string& strategy, const Values& values, const char* first, const char* second) {
  const Quadratics problem({.clients = 4, .objectives = 2}, 1);
  const Parameters theta = problem.initial_parameters();
  ClientHost host(strategy_named(strategy, problem, values).client);
  const auto ask = [&](int client, std::uint32_t round, const char* verb) {
    Request request = Request(verb).with(theta.values()).with_objective_weights(std::vector<double>{0.5, 0.5});
    request.round = round;
    return host.handle({client, request});
  };
  EXPECT_FALSE(ask(0, 1, first).error) << strategy;
  EXPECT_FALSE(ask(1, 2, first).error) << strategy;
  return ask(0, 1, second).error.value_or("none");
}

TEST(RoundMemory, EndsWithTheRound) {
  const Values four{{"cohort_size", std::int64_t{4}}};
  const Values again{{"cohort_size", std::int64_t{4}}, {"recompute_jacobian", true}};
  const Values drift{{"cohort_size", std::int64_t{4}}, {"measure_drift", true}};
  const auto found_none = testing::HasSubstr("earlier in round 1, found none");
  EXPECT_THAT(error_after_the_round("fedcmoo", four, "sketch_jacobian", "train"), found_none);
  EXPECT_THAT(error_after_the_round("fedcmoo", again, "sketch_jacobian", "train"), found_none);
  EXPECT_THAT(error_after_the_round("fedcmoo_a", four, "send_jacobian", "train"), found_none);
  EXPECT_THAT(error_after_the_round("firm", drift, "train", "disagreement"), found_none);
}

}  // namespace
}  // namespace paretofl
