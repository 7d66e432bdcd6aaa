#include "paretofl/rounds/local_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;
using testing::ThrowsMessage;

using ProgressValues = std::map<std::string, Settings::Value>;

ProgressValues measured_progress(std::int64_t steps) {
  return {{"cohort_size", std::int64_t{4}}, {"local_steps", steps}, {"client_lr", 0.05}, {"measure_local_progress", true}};
}

std::vector<double> progress_of(const RoundReport& report, const std::string& name) {
  return std::get<std::vector<double>>(report.metrics.values().at(name));
}

/// theta after steps of gradient descent on the weighted sum, without noise.
std::vector<float> descended(const GradientOracle& oracle, std::vector<float> theta, std::span<const double> lambda, int steps,
                             float rate = 0.05F) {
  std::vector<float> gradient(theta.size());
  std::vector<double> losses(lambda.size());
  for (int step = 0; step < steps; ++step) {
    oracle.weighted_gradient(theta, lambda, {Random({1, 1, 1}, "unused"), step}, losses, gradient);
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= rate * gradient[i];
  }
  return theta;
}

TEST(LocalProgress, IsTheFallOfTheLossesAfterStepsTogetherAndApart) {
  const Quadratics problem({.clients = 4, .objectives = 3, .gradient_noise = 0}, 7);
  ProgressValues values = measured_progress(6);
  values.emplace("separate_client_lr", 0.02);
  Simulation simulation(strategy_named("fedcmoo", problem, values, {{"compressor", "exact"}}), problem);
  const auto start = problem.initial_parameters();
  const std::vector<float> theta(start.values().begin(), start.values().end());
  simulation.run(1, 1);
  const std::vector<double> lambda = progress_of(simulation.reports[0], "lambda");
  std::vector<double> together(3);
  std::vector<double> separate(3);
  for (int client = 0; client < 4; ++client) {
    const auto oracle = problem.oracle(client);
    const std::vector<double> before = oracle->local_losses(theta);
    const std::vector<double> after = oracle->local_losses(descended(*oracle, theta, lambda, 6));
    std::vector<float> fused = theta;
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> alone(3);
      alone[k] = 1;
      const std::vector<float> own = descended(*oracle, theta, alone, 6, 0.02F);
      for (std::size_t i = 0; i < fused.size(); ++i) fused[i] -= static_cast<float>(lambda[k]) * (theta[i] - own[i]);
    }
    const std::vector<double> after_separate = oracle->local_losses(fused);
    for (std::size_t k = 0; k < 3; ++k) {
      together[k] += (before[k] - after[k]) / 4;
      separate[k] += (before[k] - after_separate[k]) / 4;
    }
  }
  EXPECT_THAT(progress_of(simulation.reports[0], "local_progress"), Pointwise(DoubleNear(1e-5), together));
  EXPECT_THAT(progress_of(simulation.reports[0], "separate_local_progress"), Pointwise(DoubleNear(1e-5), separate));
  EXPECT_GT(std::abs(together[0] - separate[0]), 1e-3) << "the separate steps drift apart";
}

TEST(LocalProgress, OfOneStepIsTheSameTogetherAndApart) {
  const Quadratics problem({.clients = 4, .objectives = 2, .gradient_noise = 0}, 7);
  Simulation simulation(strategy_named("fedcmoo", problem, measured_progress(1)), problem);
  simulation.run(1, 1);
  EXPECT_THAT(progress_of(simulation.reports[0], "separate_local_progress"),
              Pointwise(DoubleNear(1e-5), progress_of(simulation.reports[0], "local_progress")));
}

TEST(LocalProgress, ChangesNothingAndIsCountedApart) {
  const Quadratics problem({.clients = 4, .objectives = 2}, 7);
  Simulation measured(strategy_named("fedcmoo", problem, measured_progress(3)), problem);
  ProgressValues values = measured_progress(3);
  values.erase("measure_local_progress");
  Simulation plain(strategy_named("fedcmoo", problem, values), problem);
  EXPECT_EQ(measured.run(1, 3), plain.run(1, 3));
  EXPECT_EQ(measured.reports[0].bytes_up, plain.reports[0].bytes_up);
  EXPECT_GT(measured.reports[0].measurement_bytes, std::uint64_t{4} * sizeof(float) * problem.layout()->size());
}

TEST(LocalProgress, NeedsLossesOnAllDataAndAnExchangeOfItsOwn) {
  const Quadratics problem({.clients = 4, .objectives = 2}, 7);
  ProgressValues values = measured_progress(3);
  values.emplace("exchanges", std::string("one"));
  EXPECT_THAT([&] { strategy_named("fedcmoo", problem, values); },
              ThrowsMessage<Error>(HasSubstr("strategy.measure_local_progress: expected false with exchanges = one, found true")));
  EXPECT_THAT(
      [&] {
        strategy_named("fedcmoo", problem, {{"cohort_size", std::int64_t{4}}, {"separate_client_lr", 0.1}});
      },
      ThrowsMessage<Error>(HasSubstr("strategy.separate_client_lr: expected 0 without measure_local_progress, found 0.1")));
}

}  // namespace
}  // namespace paretofl
