#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/solvers/weight_solver.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Pointwise;
using Values = std::map<std::string, Settings::Value>;

const Quadratics& noisy() {
  static const Quadratics kProblem({.clients = 4, .objectives = 3, .gradient_noise = 0.3}, 7);
  return kProblem;
}

std::vector<double> figure(const RoundReport& report, const std::string& name) {
  return std::get<std::vector<double>>(report.metrics.values().at(name));
}

TEST(FedCmooA, AllClientsUseTheLambdaOfTheMeanGradients) {
  Simulation simulation(strategy_named("fedcmoo_a", noisy(), {{"cohort_size", std::int64_t{4}}, {"client_lr", 0.05}}), noisy());
  simulation.run(1, 1);
  const Parameters start = noisy().initial_parameters();
  std::vector<float> mean(3 * start.size());
  for (std::uint32_t c = 0; c < 4; ++c) {
    std::vector<double> losses(3);
    std::vector<float> rows(mean.size());
    noisy().oracle(static_cast<int>(c))->jacobian(start.values(), {Random({1, 1, c}, "train"), 0}, losses, rows);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += rows[i] / 4;
  }
  const Gramian gramian = gramian_of_rows(mean, 3);
  const auto expected = make_solver({"min_norm", {}})->solve({.gramian = gramian}).objective_weights;
  const RoundReport& report = simulation.reports[0];
  EXPECT_THAT(figure(report, "lambda"), Pointwise(DoubleNear(1e-5), expected));
  const auto clients = figure(report, "client_lambda");
  for (std::size_t i = 0; i < clients.size(); ++i) EXPECT_NEAR(clients[i], expected[i % 3], 1e-5) << i;
  EXPECT_NEAR(std::get<double>(report.metrics.values().at("lambda_spread")), 0, 1e-12);
}

// Its local steps are those of FIRM, and so with equal weights both are the same, the first step's reused gradients included.
TEST(FedCmooA, WithFixedWeightsIsFirm) {
  const auto trained = [](const std::string& name) {
    const Values values{{"cohort_size", std::int64_t{4}}, {"client_lr", 0.05}, {"optimizer", std::string("adam")}};
    return Simulation(strategy_named(name, noisy(), values, {{"solver", "fixed"}}), noisy()).run(1, 5);
  };
  EXPECT_EQ(trained("fedcmoo_a"), trained("firm"));
}

TEST(FedCmooA, ALargerPreferenceGivesALargerWeight) {
  const auto weight = [](double p) {
    Simulation simulation(
        strategy_named("fedcmoo_a", noisy(), {{"cohort_size", std::int64_t{4}}, {"preference", std::vector<double>{1, p, 1}}},
                       {{"solver", "regularized_min_norm"}}),
        noisy());
    simulation.run(1, 1);
    return figure(simulation.reports[0], "lambda")[1];
  };
  EXPECT_GT(weight(10), weight(0.1) + 0.1);
}

TEST(FedCmooA, UploadsEveryGradientAndTheUpdate) {
  const auto bytes = [](std::int64_t dimension) {
    const Quadratics problem({.clients = 4, .objectives = 3, .dimension = dimension}, 7);
    Simulation simulation(strategy_named("fedcmoo_a", problem, {{"cohort_size", std::int64_t{4}}}), problem);
    simulation.run(1, 1);
    return simulation.reports[0].bytes_up / 4;
  };
  EXPECT_EQ(bytes(1000) - bytes(500), (3 + 1) * 4 * 500U);
}

}  // namespace
}  // namespace paretofl
