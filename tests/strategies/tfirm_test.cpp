#include <gtest/gtest.h>

#include <numeric>

#include "paretofl/workloads/quadratics.h"
#include "paretofl/workloads/tabular_mdp.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

TEST(TFirm, IsFirmWithSmoothedWeightsOfTheGramianAsItIs) {
  const Quadratics problem({.clients = 4, .objectives = 3, .gradient_noise = 0.3}, 7);
  const auto firm = [&](bool trace_normalization) {
    Settings settings;
    settings.values = {{"cohort_size", std::int64_t{4}}, {"client_lr", 0.02}};
    settings.tables["solver"].values = {
        {"beta", 0.5}, {"smoothing", std::string("harmonic")}, {"trace_normalization", trace_normalization}};
    return Simulation(strategies().at("firm").make(settings, problem), problem).run(1, 4);
  };
  const auto tfirm = [&](const std::string& smoothing, double rate = 0.1) {
    return Simulation(strategy_named("tfirm", problem,
                                     {{"cohort_size", std::int64_t{4}},
                                      {"client_lr", 0.02},
                                      {"beta", 0.5},
                                      {"smoothing", smoothing},
                                      {"smoothing_rate", rate}}),
                      problem)
        .run(1, 4);
  };
  EXPECT_EQ(tfirm("harmonic"), firm(false));
  EXPECT_NE(tfirm("harmonic"), firm(true));
  EXPECT_NE(tfirm("harmonic"), tfirm("off"));
  EXPECT_EQ(tfirm("constant", 1), tfirm("off"));
  EXPECT_NE(tfirm("constant", 0.5), tfirm("off"));
}

double total(const Evaluation& evaluation) {
  const std::vector<double>& returns = evaluation.per_objective.at("return");
  return std::accumulate(returns.begin(), returns.end(), 0.0);
}

// On a process whose returns are known: their sum grows, and the policy ends near Pareto stationarity.
TEST(TFirm, FindsParetoStationaryPolicies) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const TabularMdp problem({.clients = 4, .states = 5, .actions = 3, .actor_critic = {}}, seed);
    Simulation simulation(
        strategy_named("tfirm", problem, {{"cohort_size", std::int64_t{4}}, {"local_steps", std::int64_t{5}}, {"client_lr", 4.0}}),
        problem);
    const auto evaluate = [&] { return problem.evaluate(simulation.server.global().values(), Split::kTest, simulation.pool); };
    const Evaluation start = evaluate();
    simulation.run(1, 300);
    const Evaluation end = evaluate();
    EXPECT_GT(total(end), total(start) + 0.1);
    EXPECT_LT(end.overall.at("stationarity"), 0.02 * start.overall.at("stationarity"));
  }
}

// Theorem 1's disagreement drift: a stronger regularizer and larger batches keep the clients' weights together.
TEST(TFirm, TheDriftFallsWithBetaAndTheBatchSize) {
  const auto mean_drift = [](double beta, std::int64_t batch_size) {
    const TabularMdp problem({.clients = 8, .actor_critic = {.batch_size = batch_size}}, 1);
    Simulation simulation(strategy_named("tfirm", problem,
                                         {{"local_steps", std::int64_t{2}},
                                          {"client_lr", 1.0},
                                          {"beta", beta},
                                          {"smoothing", std::string("off")},
                                          {"measure_drift", true}}),
                          problem);
    simulation.run(1, 20);
    double sum = 0;
    for (const RoundReport& report : simulation.reports) sum += std::get<double>(report.metrics.values().at("disagreement_drift")) / 20;
    return sum;
  };
  EXPECT_LT(mean_drift(0.1, 16), 0.5 * mean_drift(0.01, 16));
  EXPECT_LT(mean_drift(0.01, 16), mean_drift(0, 16));
  EXPECT_LT(mean_drift(0.01, 128), 0.5 * mean_drift(0.01, 16));
}

}  // namespace
}  // namespace paretofl
