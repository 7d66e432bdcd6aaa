#include "paretofl/strategies/fedcmoo_theory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/optimization/gramian.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using Values = std::map<std::string, Settings::Value>;

/// 1/T sum_t ||sum_k lambda_k grad F_k(x_t)||^2 over a run, lambda and x of the same round.
double mean_squared_gradient(const Quadratics& problem, std::uint32_t rounds, Values values) {
  values.emplace("horizon", static_cast<std::int64_t>(rounds));
  Simulation simulation(strategy_named("fedcmoo_theory", problem, std::move(values)), problem);
  ThreadPool pool(1);
  double sum = 0;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    const Evaluation at = problem.evaluate(simulation.server.global().values(), Split::kTest, pool);
    simulation.run(round, round);
    const auto lambda = std::get<std::vector<double>>(simulation.reports.back().metrics.values().at("lambda"));
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      for (std::size_t l = 0; l < lambda.size(); ++l) sum += lambda[k] * lambda[l] * at.gramian[k * lambda.size() + l];
    }
  }
  return sum / rounds;
}

TEST(FedCmooTheory, TheWeightedGradientFallsAsTheCorollarySays) {
  const Quadratics problem({.clients = 8, .objectives = 3, .condition = 4, .gradient_noise = 0.3}, 5);
  const Values few{{"cohort_size", std::int64_t{4}}, {"local_steps", std::int64_t{4}}};
  const double slow = mean_squared_gradient(problem, 64, few);
  const double fast = mean_squared_gradient(problem, 1024, few);
  EXPECT_LT(std::log(fast / slow) / std::log(1024.0 / 64), -0.45);
}

TEST(FedCmooTheory, WithoutWeightStepsIsFedAvg) {
  const Quadratics problem({.clients = 6, .objectives = 3}, 7);
  const Values same{{"cohort_size", std::int64_t{6}}, {"client_lr", 0.05}};
  Values theory = same;
  theory.insert({{"beta", 0.0}, {"server_lr", 1.0}});
  Values fedavg = same;
  fedavg.emplace("client_weighting", std::string("uniform"));
  Simulation left(strategy_named("fedcmoo_theory", problem, theory), problem);
  Simulation right(strategy_named("fedavg", problem, fedavg), problem);
  EXPECT_EQ(left.run(1, 5), right.run(1, 5));
}

TEST(FedCmooTheory, StepsTheWeightsTowardsTheSmallerGradient) {
  // Without noise and sampling, lambda after one round is proj(1/M - beta G 1/M) with the exact G.
  const Quadratics problem({.clients = 6, .objectives = 3, .gradient_noise = 0}, 7);
  Simulation simulation(
      strategy_named("fedcmoo_theory", problem, {{"cohort_size", std::int64_t{6}}, {"beta", 1e-4}}, {{"compressor", "exact"}}), problem);
  const Gramian gramian = gramian_of_rows(problem.exact_jacobian(problem.initial_parameters().values()), 3);
  simulation.run(1, 1);
  const auto lambda = std::get<std::vector<double>>(simulation.reports[0].metrics.values().at("lambda"));
  double mean_step = 0;
  std::vector<double> step(3);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t l = 0; l < 3; ++l) step[k] -= 1e-4 * gramian(k, l) / 3;
    mean_step += step[k] / 3;
  }
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(lambda[k], 1.0 / 3 + step[k] - mean_step, 1e-6);
}

TEST(FedCmooTheory, AClientInBothSketchCohortsDrawsTwice) {
  const Quadratics problem({.clients = 6}, 7);
  const Strategy strategy = strategy_named("fedcmoo_theory", problem, {{"cohort_size", std::int64_t{6}}}, {{"compressor", "exact"}});
  const auto client = strategy.client(2);
  const auto sketch = [&](double set) {
    Request request = Request("sketch_jacobian").with(problem.initial_parameters().values());
    request.extra.scalars.emplace("set", set);
    return client->handle(request, {1, 1, 2}).extra;
  };
  EXPECT_EQ(sketch(1), sketch(1));
  EXPECT_NE(sketch(1).record("0"), sketch(2).record("0"));
}

TEST(FedCmooTheory, RejectsCompressorsItsEstimateCannotUse) {
  const Quadratics problem({.clients = 6}, 7);
  for (const char* name : {"client_grams", "randomized_svd"}) {
    EXPECT_THAT(
        [&] {
          strategy_named("fedcmoo_theory", problem, {{"cohort_size", std::int64_t{6}}}, {{"compressor", name}});
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr("expected a one-way compressor of jacobians")));
  }
}

}  // namespace
}  // namespace paretofl
