// What was learned, on problems whose solutions are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/solvers/weight_solver.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

double distance(std::span<const float> theta, std::span<const double> point) {
  double sum = 0;
  for (std::size_t j = 0; j < point.size(); ++j) sum += std::pow(theta[j] - point[j], 2);
  return std::sqrt(sum);
}

double stationarity(const Quadratics& problem, std::span<const float> theta) {
  ThreadPool pool(1);
  return problem.evaluate(theta, Split::kTest, pool).overall.at("stationarity");
}

TEST(Learning, FedAvgFindsTheParetoPointOfItsWeights) {
  // With all clients and one local step the offsets of the client pairs cancel: plain gradient descent.
  const Quadratics problem({.clients = 6, .objectives = 3, .condition = 4, .heterogeneity = 2, .gradient_noise = 0}, 5);
  const std::vector<double> lambda{0.2, 0.5, 0.3};
  Simulation simulation(strategy_named("fedavg", problem,
                                       {{"cohort_size", std::int64_t{6}},
                                        {"local_steps", std::int64_t{1}},
                                        {"client_lr", 0.5},
                                        {"objective_weights", std::vector<double>{2, 5, 3}}}),
                        problem);
  EXPECT_LT(distance(simulation.run(1, 300), problem.pareto_point(lambda)), 1e-4);
}

TEST(Learning, SingleObjectiveFindsItsMinimizer) {
  const Quadratics problem({.clients = 6, .objectives = 2, .heterogeneity = 0, .gradient_noise = 0}, 5);
  Simulation simulation(
      strategy_named("single_objective", problem, {{"objective", std::int64_t{1}}, {"cohort_size", std::int64_t{6}}, {"client_lr", 0.5}}),
      problem);
  EXPECT_LT(distance(simulation.run(1, 100), problem.pareto_point(std::vector<double>{0, 1})), 1e-4);
}

TEST(Learning, MultiObjectiveStrategiesReachAStationaryPoint) {
  const Quadratics problem({.clients = 6, .objectives = 3, .heterogeneity = 0, .gradient_noise = 0}, 5);
  const double start = stationarity(problem, problem.initial_parameters().values());
  for (const char* name : {"fsmgda", "fedcmoo"}) {
    Simulation simulation(
        strategy_named(name, problem,
                       {{"cohort_size", std::int64_t{6}}, {"local_steps", std::int64_t{2}}, {"client_lr", 0.1}, {"server_lr", 1.0}}),
        problem);
    EXPECT_LT(stationarity(problem, simulation.run(1, 400)), 1e-5 * start) << name;
  }
}

TEST(Learning, MinNormDescendsEveryObjectiveWithExactGradients) {
  const Quadratics problem({.clients = 4, .objectives = 3, .heterogeneity = 0, .gradient_noise = 0}, 5);
  ThreadPool pool(1);
  Simulation simulation(
      strategy_named("fedcmoo", problem,
                     {{"cohort_size", std::int64_t{4}}, {"local_steps", std::int64_t{1}}, {"client_lr", 0.05}, {"server_lr", 1.0}},
                     {{"solver", "min_norm"}, {"compressor", "exact"}}),
      problem);
  std::vector<double> before = problem.evaluate(simulation.server.global().values(), Split::kTest, pool).per_objective.at("loss");
  for (std::uint32_t round = 1; round <= 20; ++round) {
    const auto theta = simulation.run(round, round);
    const std::vector<double> after = problem.evaluate(theta, Split::kTest, pool).per_objective.at("loss");
    for (std::size_t k = 0; k < after.size(); ++k) EXPECT_LE(after[k], before[k] + 1e-6) << "round " << round << " objective " << k;
    before = after;
  }
}

TEST(Learning, UploadIsCountedFromTheWire) {
  // The figures of the paper: FSMGDA sends M d numbers per client, FedCMOO about 2 d, FedAvg d.
  const std::size_t d = 20000;
  const std::size_t m = 5;
  const Quadratics problem({.clients = 4, .objectives = m, .dimension = d}, 5);
  const auto numbers_up = [&](const char* name) {
    Simulation simulation(strategy_named(name, problem, {{"cohort_size", std::int64_t{2}}, {"local_steps", std::int64_t{1}}}), problem);
    simulation.run(1, 1);
    return static_cast<double>(simulation.reports[0].bytes_up) / 4 / 2 / static_cast<double>(d);
  };
  EXPECT_NEAR(numbers_up("fedavg"), 1, 0.01);
  EXPECT_NEAR(numbers_up("fsmgda"), static_cast<double>(m), 0.01);
  EXPECT_GT(numbers_up("fedcmoo"), 1.5);
  EXPECT_LE(numbers_up("fedcmoo"), 2.01);
}

TEST(Learning, RoundsGoOnWithoutThoseWhoDropOut) {
  const Quadratics problem({.clients = 20, .objectives = 2, .heterogeneity = 0.1}, 5);
  Simulation simulation(strategy_named("fedcmoo", problem, {{"client_lr", 0.05}, {"server_lr", 1.0}}), problem,
                        {.runtime = {.threads = 1, .dropout_rate = 0.15}, .min_reply_fraction = 0.3});
  const double start = stationarity(problem, problem.initial_parameters().values());
  EXPECT_LT(stationarity(problem, simulation.run(1, 60)), 0.02 * start);
  std::size_t failures = 0;
  for (const RoundReport& report : simulation.reports) {
    EXPECT_FALSE(report.abandoned);
    failures += report.failures.size();
  }
  EXPECT_GT(failures, 100U);
}

}  // namespace
}  // namespace paretofl
