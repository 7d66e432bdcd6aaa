// What strategies keep and draw for the solvers of stochastic gradients, and FSMGDA's tracked and compressed updates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/optimization/gramian.h"
#include "paretofl/optimization/simplex_projection.h"
#include "paretofl/solvers/famo.h"
#include "paretofl/strategies/fedcmoo.h"
#include "paretofl/strategies/fsmgda.h"
#include "paretofl/wire/message.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using Values = std::map<std::string, Settings::Value>;
using Components = std::map<std::string, std::string>;

const Quadratics& stochastic_problem() {
  static const Quadratics kProblem({.clients = 8, .objectives = 3, .heterogeneity = 0.2, .gradient_noise = 0.3}, 7);
  return kProblem;
}

Strategy small(const std::string& name, Values values, Components components) {
  values.emplace("cohort_size", std::int64_t{4});
  return strategy_named(name, stochastic_problem(), std::move(values), std::move(components));
}

std::vector<double> reported_lambda(const RoundReport& report) {
  return std::get<std::vector<double>>(report.metrics.values().at("lambda"));
}
std::vector<double> reported_losses(const RoundReport& report) {
  return std::get<std::vector<double>>(report.metrics.values().at("train_loss"));
}

TEST(StochasticSolvers, RunsGoOnFromASavedStateBitForBit) {
  struct Case {
    std::string name;
    Values values;
    Components components;
  };
  const std::vector<Case> cases = {
      {"fsmgda", {{"tracking", 0.3}}, {{"solver", "moco"}}},
      {"fsmgda", {}, {{"solver", "famo"}}},
      {"fsmgda", {}, {{"solver", "cr_mogm"}, {"compressor", "top_k"}}},
      {"fedcmoo", {{"losses", std::string("local")}}, {{"solver", "famo"}, {"compressor", "client_grams"}}},
      {"fedcmoo", {{"reuse_gradients", false}}, {{"solver", "modo"}, {"compressor", "exact"}}},
      {"firm", {}, {{"solver", "famo"}}},
      {"fedcmoo_a", {}, {{"solver", "famo"}}},
      {"stimulus", {{"restart_every", std::int64_t{3}}, {"momentum", 0.3}, {"adaptive_batches", 0.5}}, {}},
  };
  for (const Case& one : cases) {
    const auto made = [&] { return small(one.name, one.values, one.components); };
    const std::vector<float> expected = Simulation(made(), stochastic_problem()).run(1, 9);
    Simulation first(made(), stochastic_problem());
    first.run(1, 5);
    const std::vector<std::byte> bytes = encode(first.server.save());
    Simulation second(made(), stochastic_problem());
    second.server.load(decode_state(bytes));
    EXPECT_EQ(second.run(6, 9), expected) << one.name;
  }
}

TEST(StochasticSolvers, FamoSeesTheLossesOfTheRoundBefore) {
  Simulation simulation(small("fsmgda", {}, {{"solver", "famo"}}), stochastic_problem());
  simulation.run(1, 3);
  const Gramian size(3);
  std::vector<double> lambda(3, 1.0 / 3);
  std::vector<double> before;
  for (const RoundReport& report : simulation.reports) {
    const std::vector<double> losses = reported_losses(report);
    lambda = Famo({}).solve({.gramian = size, .losses = losses, .previous = lambda, .previous_losses = before}).objective_weights;
    EXPECT_EQ(reported_lambda(report), lambda);
    before = losses;
  }
}

// Without noise, sampling and compression, lambda after one round is proj(1/M - gamma G 1/M) with the exact G.
TEST(StochasticSolvers, FedCmooGivesModoTheProductsOfTwoSamples) {
  const Quadratics exact({.clients = 6, .objectives = 3, .gradient_noise = 0}, 7);
  FedCmooOptions options;
  options.cohort_size = 6;
  options.solver = {"modo", {.values = {{"gamma", 1e-3}}, .tables = {}}};
  options.compressor = {"exact", {}};
  options.reuse_gradients = false;
  Simulation simulation(make_fedcmoo(options, exact), exact);
  const Gramian gramian = gramian_of_rows(exact.exact_jacobian(exact.initial_parameters().values()), 3);
  simulation.run(1, 1);
  std::vector<double> expected(3);
  std::vector<double> scratch(3);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t l = 0; l < 3; ++l) expected[k] += (k == l ? 1.0 / 3 : 0) - 1e-3 * gramian(k, l) / 3;
  }
  project_onto_simplex(expected, scratch);
  EXPECT_THAT(reported_lambda(simulation.reports[0]), testing::Pointwise(testing::DoubleNear(1e-6), expected));
}

// Noise is in the products of a sample with itself, but on average not in those of two independent ones.
TEST(StochasticSolvers, TheTwoSamplesOfModoAreIndependent) {
  constexpr int kRounds = 200;
  const Quadratics exact({.clients = 6, .objectives = 3, .dimension = 20, .gradient_noise = 0}, 7);
  const double size = gramian_of_rows(exact.exact_jacobian(exact.initial_parameters().values()), 3).trace();
  // The trace of one sample's Gramian has d M sigma^2 / n of the noise, which is as large as what is exact.
  const Quadratics noisy({.clients = 6, .objectives = 3, .dimension = 20, .gradient_noise = std::sqrt(size * 6 / 60)}, 7);
  const auto mean_trace = [&](const char* solver) {
    FedCmooOptions options;
    options.cohort_size = 6;
    options.server_lr = 0;
    options.solver = {solver, {}};
    options.compressor = {"exact", {}};
    options.reuse_gradients = false;
    Simulation simulation(make_fedcmoo(options, noisy), noisy);
    simulation.run(1, kRounds);
    double sum = 0;
    for (const RoundReport& report : simulation.reports) {
      const auto gramian = std::get<std::vector<double>>(report.metrics.values().at("gramian"));
      sum += (gramian[0] + gramian[4] + gramian[8]) / kRounds;
    }
    return sum;
  };
  EXPECT_NEAR(mean_trace("modo"), size, 0.15 * size);
  EXPECT_NEAR(mean_trace("min_norm"), 2 * size, 0.15 * size);
}

TEST(StochasticSolvers, ModoIsRefusedWhereOneSampleIsDrawn) {
  for (const char* name : {"fsmgda", "firm", "fedcmoo_a"}) {
    EXPECT_THAT(
        [&] {
          small(name, {}, {{"solver", "modo"}});
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr("found one that needs two independent samples")))
        << name;
  }
  const Components exact{{"solver", "modo"}, {"compressor", "exact"}};
  const auto fails_with = [](const char* text) { return testing::ThrowsMessage<Error>(testing::HasSubstr(text)); };
  EXPECT_THAT([&] { small("fedcmoo", {}, exact); }, fails_with("strategy.reuse_gradients: expected false"));
  EXPECT_THAT(
      [&] {
        small("fedcmoo", {{"reuse_gradients", false}, {"exchanges", std::string("one")}}, exact);
      },
      fails_with("strategy.exchanges: expected all"));
  EXPECT_THAT(
      [&] {
        small("fedcmoo", {{"reuse_gradients", false}, {"measure_nrmse", true}}, exact);
      },
      fails_with("strategy.measure_nrmse: expected false"));
  EXPECT_THAT(
      [&] {
        small("fedcmoo", {{"reuse_gradients", false}}, {{"solver", "modo"}, {"compressor", "client_grams"}});
      },
      fails_with("strategy.compressor: expected a one-way compressor"));
}

// lambda is fixed, so that the step is the tracked update's: x_2 - x_1 follows y_2 = h_1 - beta (h_1 - h_2).
TEST(TrackedUpdates, AreTheMovingMeanOfTheRounds) {
  const auto run = [](double tracking) {
    Simulation simulation(
        small("fsmgda", {{"tracking", tracking}, {"server_lr", 1.0}, {"cohort_size", std::int64_t{8}}}, {{"solver", "fixed"}}),
        stochastic_problem());
    const std::vector<float> one = simulation.run(1, 1);
    return std::pair(one, simulation.run(2, 2));
  };
  const auto [first, plain] = run(1);
  const auto [same_first, tracked] = run(0.25);
  EXPECT_EQ(first, same_first);
  const auto start = stochastic_problem().initial_parameters();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double h1 = start.values()[i] - first[i];
    const double h2 = first[i] - plain[i];
    EXPECT_NEAR(first[i] - tracked[i], 0.75 * h1 + 0.25 * h2, 1e-5);
  }
}

// With one local step an update is eta_c times a gradient. If server_lr eta_c stays the same, so does MoCo's whole course.
TEST(TrackedUpdates, AreGradientsWhateverTheClientLearningRateIs) {
  const auto run = [](double client_lr, double tracking) {
    Simulation simulation(
        small("fsmgda",
              {{"tracking", tracking}, {"local_steps", std::int64_t{1}}, {"client_lr", client_lr}, {"server_lr", 0.02 / client_lr}},
              {{"solver", "moco"}}),
        stochastic_problem());
    simulation.run(1, 20);
    return reported_lambda(simulation.reports.back());
  };
  for (const double tracking : {1.0, 0.3}) {
    const std::vector<double> expected = run(0.5, tracking);
    EXPECT_GT(std::abs(expected[0] - 1.0 / 3), 0.05) << "the weights move";
    EXPECT_THAT(run(0.004, tracking), testing::Pointwise(testing::DoubleNear(1e-3), expected)) << tracking;
  }
}

TEST(TrackedUpdates, KeepTheirScaleWhenTheRateIsHalved) {
  const auto step = [](std::int64_t halve_every) {
    Simulation simulation(small("fsmgda",
                                {{"tracking", 1e-6},
                                 {"local_steps", std::int64_t{1}},
                                 {"server_lr", 1.0},
                                 {"cohort_size", std::int64_t{8}},
                                 {"halve_client_lr_every", halve_every}},
                                {{"solver", "fixed"}}),
                          stochastic_problem());
    const std::vector<float> one = simulation.run(1, 1);
    const std::vector<float> two = simulation.run(2, 2);
    return std::pair(stochastic_problem().initial_parameters().values()[0] - one[0], one[0] - two[0]);
  };
  const auto [first, same] = step(0);
  EXPECT_NEAR(same, first, 1e-5);
  EXPECT_NEAR(step(1).second, first / 2, 1e-5) << "y is nearly that of the first round, and the rate half as large";
}

TEST(CompressedUpdates, AreThoseThatTheCompressorLeaves) {
  const auto run = [](const Component& compressor) {
    FsmgdaOptions options;
    options.cohort_size = 4;
    options.compressor = compressor;
    Simulation simulation(make_fsmgda(options, stochastic_problem()), stochastic_problem());
    const std::vector<float> theta = simulation.run(1, 3);
    return std::pair(theta, static_cast<double>(simulation.reports[0].bytes_up));
  };
  const auto top = [](double budget) { return Component{"top_k", {.values = {{"budget", budget}}, .tables = {}}}; };
  const auto [plain, plain_bytes] = run({"exact", {}});
  const auto [all, all_bytes] = run(top(8));
  EXPECT_EQ(all, plain) << "with room for every entry";
  const auto [few, few_bytes] = run(top(1));
  EXPECT_NE(few, plain);
  // 3 d numbers against d, beside what a message has in any case.
  EXPECT_NEAR(plain_bytes - few_bytes, 4 * 4 * 2 * 20, 4 * 60);
  EXPECT_THAT(
      [&] {
        run({"client_grams", {}});
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("expected a one-way compressor of jacobians for fsmgda")));
}

}  // namespace
}  // namespace paretofl
