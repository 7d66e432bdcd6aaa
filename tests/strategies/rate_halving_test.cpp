// The client learning rate that is halved every so many rounds.
#include "paretofl/rounds/rate_halving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::ThrowsMessage;

TEST(RateHalving, HalvesWhenAsManyRoundsAreOver) {
  const LocalTrainingOptions local{.client_lr = 0.4};
  std::vector<double> rates;
  for (const std::uint32_t round : {1, 2, 3, 4, 5, 6, 7}) rates.push_back(RateHalving{3}.in_round(local, round).client_lr);
  EXPECT_THAT(rates, ElementsAre(0.4, 0.4, 0.4, 0.2, 0.2, 0.2, 0.1));
  EXPECT_EQ(RateHalving{0}.in_round(local, 1000).client_lr, 0.4);
  EXPECT_EQ(RateHalving{1}.in_round(local, 4000000000U).client_lr, 0);
}

/// Settings of a strategy whose server step has length 1 times the update.
Strategy strategy_with_rate(const std::string& name, const Workload& workload, double rate, std::int64_t halve_every) {
  return strategy_named(
      name, workload,
      {{"cohort_size", std::int64_t{3}}, {"local_steps", std::int64_t{2}}, {"client_lr", rate}, {"halve_client_lr_every", halve_every}});
}

class HalvedRate : public testing::TestWithParam<const char*> {};

// The updates of a client in the rounds before and after a halving are those at the whole and at half the rate.
TEST_P(HalvedRate, IsThatOfTheRoundAtEveryClient) {
  const Quadratics workload({.clients = 3, .objectives = 2}, 5);
  const auto update_in = [&](std::uint32_t round, double rate, std::int64_t halve_every) {
    const Strategy strategy = strategy_with_rate(GetParam(), workload, rate, halve_every);
    const auto client = strategy.client(1);
    const StreamId stream{.seed = 1, .round = round, .client = 1};
    const std::vector<double> lambda{0.25, 0.75};
    const Parameters theta = workload.initial_parameters();
    if (std::string(GetParam()).starts_with("fedcmoo")) {
      Request sketch = Request("sketch_jacobian").with(theta.values());
      sketch.round = round;
      client->handle(sketch, stream);
    }
    Request request =
        Request(std::string(GetParam()) == "fsmgda" ? "train_each" : "train").with(theta.values()).with_objective_weights(lambda);
    request.round = round;
    return client->handle(request, stream).update;
  };
  EXPECT_EQ(update_in(2, 0.1, 2), update_in(2, 0.1, 0));
  EXPECT_EQ(update_in(3, 0.1, 2), update_in(3, 0.05, 0));
  EXPECT_NE(update_in(3, 0.1, 2), update_in(3, 0.1, 0));
}

INSTANTIATE_TEST_SUITE_P(Each, HalvedRate, testing::Values("fedavg", "fedprox", "single_objective", "fsmgda", "fedcmoo", "fedcmoo_pref"));

TEST(RateHalving, IsRefusedWithPrivatePreferences) {
  const Quadratics workload({.clients = 3, .objectives = 2}, 5);
  EXPECT_THAT(
      [&] {
        strategy_named("fedavg", workload,
                       {{"cohort_size", std::int64_t{3}}, {"private_preferences", true}, {"halve_client_lr_every", std::int64_t{4}}});
      },
      ThrowsMessage<Error>("strategy.halve_client_lr_every: expected 0 with private_preferences, found 4"));
}

}  // namespace
}  // namespace paretofl
