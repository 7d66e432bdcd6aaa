#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/local/objective_training.h"
#include "paretofl/local/oracle_steps.h"
#include "paretofl/solvers/weight_solver.h"
#include "paretofl/workloads/environment_workload.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::FloatNear;
using testing::Pointwise;
using FirmValues = decltype(Settings::values);

const Quadratics& firm_noisy() {
  static const Quadratics kProblem({.clients = 8, .objectives = 3, .gradient_noise = 0.3}, 7);
  return kProblem;
}

Strategy firm(const Workload& workload, std::int64_t cohort, FirmValues values = {}, Settings solver = {}) {
  Settings settings;
  settings.values = std::move(values);
  settings.values.emplace("cohort_size", cohort);
  settings.values.emplace("client_lr", 0.05);
  if (!solver.empty()) settings.tables.emplace("solver", std::move(solver));
  return strategies().at("firm").make(settings, workload);
}

std::vector<double> firm_figure(const RoundReport& report, const std::string& name) {
  return std::get<std::vector<double>>(report.metrics.values().at(name));
}

TEST(Firm, OfOneObjectiveIsFedAvg) {
  const Quadratics problem({.clients = 8, .objectives = 1, .gradient_noise = 0.3}, 7);
  const std::map<std::string, Settings::Value> fedavg{
      {"cohort_size", std::int64_t{4}}, {"client_lr", 0.05}, {"client_weighting", std::string("uniform")}};
  EXPECT_EQ(Simulation(firm(problem, 4), problem).run(1, 5), Simulation(strategy_named("fedavg", problem, fedavg), problem).run(1, 5));
}

TEST(Firm, OfAnEndlessRegularizerHasEqualWeights) {
  const auto trained = [&](Settings solver) {
    Simulation simulation(firm(firm_noisy(), 4, {}, std::move(solver)), firm_noisy());
    const std::vector<float> theta = simulation.run(1, 5);
    return std::pair(theta, firm_figure(simulation.reports.back(), "client_lambda"));
  };
  const auto [theta, lambda] = trained({.values = {{"beta", 1e9}}, .tables = {}});
  const auto [equal_theta, equal_lambda] = trained({.values = {{"name", std::string("fixed")}}, .tables = {}});
  EXPECT_THAT(lambda, Pointwise(DoubleNear(1e-6), equal_lambda));
  EXPECT_THAT(theta, Pointwise(FloatNear(1e-5F), equal_theta));
  EXPECT_NE(trained({}).first, theta);
}

TEST(Firm, ALargerPreferenceGivesNoSmallerWeight) {
  double last = 0;
  for (const double p : {0.1, 0.5, 1.0, 5.0, 50.0}) {
    Simulation simulation(firm(firm_noisy(), 8, {{"local_steps", std::int64_t{1}}, {"preference", std::vector<double>{1, p, 1}}}),
                          firm_noisy());
    simulation.run(1, 1);
    const double weight = firm_figure(simulation.reports[0], "lambda")[1];
    EXPECT_GE(weight, last - 1e-12) << p;
    last = weight;
  }
  EXPECT_GT(last, 0.5);
}

// What a client does, written out: the minibatch of a step, its Gramian, the solver, one step.
TEST(Firm, AClientResolvesEveryLocalStep) {
  const Parameters start = firm_noisy().initial_parameters();
  std::vector<float> theta(start.values().begin(), start.values().end());
  const auto solver = make_solver({"regularized_min_norm", {}});
  std::vector<double> mean_lambda(3);
  std::vector<double> mean_norm(3);
  const auto oracle = firm_noisy().oracle(5);
  for (std::int64_t step = 0; step < 4; ++step) {
    std::vector<float> rows(3 * theta.size());
    std::vector<double> losses(3);
    oracle->jacobian(theta, {Random({1, 1, 5}, "train"), step}, losses, rows);
    const Gramian gramian = gramian_of_rows(rows, 3);
    const auto lambda = solver->solve({.gramian = gramian}).objective_weights;
    for (std::size_t k = 0; k < 3; ++k) {
      mean_lambda[k] += lambda[k] / 4;
      mean_norm[k] += std::sqrt(gramian(k, k)) / 4;
      for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= static_cast<float>(0.05 * lambda[k] * rows[k * theta.size() + i]);
    }
  }
  ClientHost host(firm(firm_noisy(), 8, {{"local_steps", std::int64_t{4}}}).client);
  Request request = Request("train").with(start.values());
  request.seed = 1;
  request.round = 1;
  const Reply reply = host.handle({5, request});
  ASSERT_FALSE(reply.error) << *reply.error;
  EXPECT_THAT(double_array(reply.extra, "lambda", 3), Pointwise(DoubleNear(1e-4), mean_lambda));
  EXPECT_THAT(double_array(reply.extra, "gradient_norm", 3), Pointwise(DoubleNear(1e-4), mean_norm));
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(start.values()[i] - reply.update[i], theta[i], 1e-5) << i;
}

TEST(Firm, SmoothingGoesOnFromTheLastStepOfAllRounds) {
  // With eta_t = 1 / t, lambda_t is the mean of all lambda* so far: of one local step per round, over the rounds.
  const auto lambdas = [](const std::string& smoothing) {
    Simulation simulation(
        firm(firm_noisy(), 8, {{"local_steps", std::int64_t{1}}, {"server_lr", 0.0}}, {.values = {{"smoothing", smoothing}}, .tables = {}}),
        firm_noisy());
    simulation.run(1, 6);
    std::vector<std::vector<double>> rows;
    for (const RoundReport& report : simulation.reports) rows.push_back(firm_figure(report, "client_lambda"));
    return rows;
  };
  const auto plain = lambdas("off");
  std::vector<double> mean(plain[0].size());
  for (const auto& row : plain) {
    for (std::size_t i = 0; i < row.size(); ++i) mean[i] += row[i] / static_cast<double>(plain.size());
  }
  EXPECT_THAT(lambdas("harmonic").back(), Pointwise(DoubleNear(1e-12), mean));
}

TEST(Firm, RecordsFiguresOfEveryClient) {
  Simulation simulation(firm(firm_noisy(), 5), firm_noisy());
  simulation.run(1, 1);
  const RoundReport& report = simulation.reports[0];
  const auto lambda = firm_figure(report, "client_lambda");
  ASSERT_EQ(lambda.size(), 15U);
  EXPECT_EQ(firm_figure(report, "client_gradient_norm").size(), 15U);
  EXPECT_EQ(firm_figure(report, "client_loss").size(), 15U);
  EXPECT_THAT(firm_figure(report, "cohort"), testing::AllOf(testing::SizeIs(5), Each(testing::Lt(8))));
  const auto mean = firm_figure(report, "lambda");
  double spread = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    double square = 0;
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      square += std::pow(lambda[3 * i + k] - mean[k], 2);
      sum += lambda[3 * i + k];
    }
    spread += std::sqrt(square) / 5;
    EXPECT_NEAR(sum, 1, 1e-9);
  }
  EXPECT_NEAR(std::get<double>(report.metrics.values().at("lambda_spread")), spread, 1e-12);
  EXPECT_GT(spread, 0);
}

TEST(Firm, RecordsLambdaAndCosinesOfEveryStepAndClient) {
  const FirmValues steps{{"record_steps", true}, {"local_steps", std::int64_t{4}}};
  Simulation simulation(firm(firm_noisy(), 5, steps), firm_noisy());
  simulation.run(1, 2);
  Simulation plain(firm(firm_noisy(), 5, {{"local_steps", std::int64_t{4}}}), firm_noisy());
  EXPECT_EQ(plain.run(1, 2), std::vector<float>(simulation.server.global().values().begin(), simulation.server.global().values().end()));
  for (const RoundReport& report : simulation.reports) {
    const auto by_step = firm_figure(report, "client_step_lambda");  // [5, 4, 3]
    const auto by_client = firm_figure(report, "client_lambda");     // [5, 3]
    const auto mean_step = firm_figure(report, "step_lambda");       // [4, 3]
    ASSERT_EQ(by_step.size(), 60U);
    ASSERT_EQ(mean_step.size(), 12U);
    for (std::size_t c = 0; c < 5; ++c) {
      for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0;
        for (std::size_t t = 0; t < 4; ++t) sum += by_step[12 * c + 3 * t + k];
        EXPECT_NEAR(sum / 4, by_client[3 * c + k], 1e-12);
      }
    }
    for (std::size_t i = 0; i < 12; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < 5; ++c) sum += by_step[12 * c + i];
      EXPECT_NEAR(sum / 5, mean_step[i], 1e-12);
    }
    EXPECT_THAT(firm_figure(report, "client_step_cosine"),
                testing::AllOf(testing::SizeIs(60), Each(testing::AllOf(testing::Ge(-1), testing::Le(1)))));
    EXPECT_EQ(firm_figure(report, "step_cosine").size(), 12U);
  }
  EXPECT_FALSE(plain.reports[0].metrics.values().contains("step_lambda"));
}

// The mean over clients and steps changes less from round to round than one client's lambda at one step, and the server's single solution
// has nothing to average: what one compares decides who seems to sway.
TEST(Firm, TheMeanLambdaSwaysLessThanASingleOne) {
  const auto sway = [](const Simulation& simulation, const std::string& name, std::size_t stride) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t t = 1; t < simulation.reports.size(); ++t) {
      const auto before = firm_figure(simulation.reports[t - 1], name);
      const auto after = firm_figure(simulation.reports[t], name);
      for (std::size_t i = 0; i < after.size(); i += stride, ++count) sum += std::abs(after[i] - before[i]);
    }
    return sum / static_cast<double>(count);
  };
  const FirmValues steps{{"record_steps", true}, {"local_steps", std::int64_t{4}}};
  Simulation firm_run(firm(firm_noisy(), 8, steps), firm_noisy());
  firm_run.run(1, 20);
  EXPECT_LT(2 * sway(firm_run, "lambda", 3), sway(firm_run, "client_step_lambda", 3));
  EXPECT_LT(sway(firm_run, "lambda", 3), sway(firm_run, "client_lambda", 3));

  Simulation server_run(
      strategy_named("fedcmoo_a", firm_noisy(), {{"cohort_size", std::int64_t{8}}, {"client_lr", 0.05}, {"record_steps", true}}),
      firm_noisy());
  server_run.run(1, 20);
  EXPECT_NEAR(sway(server_run, "lambda", 3), sway(server_run, "client_step_lambda", 3), 1e-9);
}

TEST(GradientCosines, AreThoseOfThePairsInOrder) {
  const std::vector<float> rows{3, 0, 0, 2, -1, -1, 0, 0};  // (3, 0), (0, 2), (-1, -1), (0, 0)
  EXPECT_THAT(gradient_cosines(gramian_of_rows(rows, 4)),
              testing::ElementsAre(DoubleNear(0, 1e-12), DoubleNear(-std::sqrt(0.5), 1e-7), DoubleNear(0, 0),
                                   DoubleNear(-std::sqrt(0.5), 1e-7), DoubleNear(0, 0), DoubleNear(0, 0)));
}

TEST(Firm, TheDriftIsThatOfTheFirstStep) {
  Simulation simulation(firm(firm_noisy(), 8, {{"measure_drift", true}, {"local_steps", std::int64_t{3}}}), firm_noisy());
  simulation.run(1, 1);
  const Parameters start = firm_noisy().initial_parameters();
  const std::size_t d = start.size();
  const auto solver = make_solver({"regularized_min_norm", {}});
  std::vector<std::vector<float>> rows(8, std::vector<float>(3 * d));
  std::vector<std::vector<double>> lambdas;
  std::vector<double> mean(3);
  for (int c = 0; c < 8; ++c) {
    std::vector<double> losses(3);
    auto& own = rows[static_cast<std::size_t>(c)];
    firm_noisy().oracle(c)->jacobian(start.values(), {Random({1, 1, static_cast<std::uint32_t>(c)}, "train"), 0}, losses, own);
    const Gramian gramian = gramian_of_rows(own, 3);
    lambdas.push_back(solver->solve({.gramian = gramian}).objective_weights);
    for (std::size_t k = 0; k < 3; ++k) mean[k] += lambdas.back()[k] / 8;
  }
  double expected = 0;
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      for (std::size_t k = 0; k < 3; ++k) sum += double{rows[c][k * d + i]} * (lambdas[c][k] - mean[k]) / 8;
    }
    expected += sum * sum;
  }
  ASSERT_GT(expected, 0);
  EXPECT_NEAR(std::get<double>(simulation.reports[0].metrics.values().at("disagreement_drift")), expected, 1e-4 * expected);
}

/// Both drifts of a round: those of its first and its last local step.
std::pair<double, double> drifts(std::int64_t local_steps, double client_lr) {
  Simulation simulation(firm(firm_noisy(), 8, {{"measure_drift", true}, {"local_steps", local_steps}, {"client_lr", client_lr}}),
                        firm_noisy());
  simulation.run(1, 1);
  const auto& found = simulation.reports[0].metrics.values();
  return {std::get<double>(found.at("disagreement_drift")), std::get<double>(found.at("last_disagreement_drift"))};
}

// What each client does up to its last step, written out.
TEST(Firm, TheLastDriftIsThatOfTheLastStep) {
  const Parameters start = firm_noisy().initial_parameters();
  const std::size_t d = start.size();
  const auto solver = make_solver({"regularized_min_norm", {}});
  std::vector<std::vector<float>> rows(8, std::vector<float>(3 * d));
  std::vector<std::vector<double>> lambdas(8);
  std::vector<double> mean(3);
  for (std::size_t c = 0; c < 8; ++c) {
    std::vector<float> theta(start.values().begin(), start.values().end());
    const auto oracle = firm_noisy().oracle(static_cast<int>(c));
    for (std::int64_t step = 0; step < 3; ++step) {
      std::vector<double> losses(3);
      oracle->jacobian(theta, {Random({1, 1, static_cast<std::uint32_t>(c)}, "train"), step}, losses, rows[c]);
      const Gramian gramian = gramian_of_rows(rows[c], 3);
      lambdas[c] = solver->solve({.gramian = gramian}).objective_weights;
      const std::vector<float> gradient = weighted_rows(rows[c], lambdas[c]);
      for (std::size_t i = 0; i < d; ++i) theta[i] -= 0.05F * gradient[i];
    }
    for (std::size_t k = 0; k < 3; ++k) mean[k] += lambdas[c][k] / 8;
  }
  double expected = 0;
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      for (std::size_t k = 0; k < 3; ++k) sum += double{rows[c][k * d + i]} * (lambdas[c][k] - mean[k]) / 8;
    }
    expected += sum * sum;
  }
  ASSERT_GT(expected, 0);
  const auto [first, last] = drifts(3, 0.05);
  EXPECT_NEAR(last, expected, 1e-4 * expected);
  EXPECT_GT(std::abs(last - first), 1e-2 * expected);
}

TEST(Firm, OfOneLocalStepBothDriftsAreTheSame) {
  const auto [first, last] = drifts(1, 0.05);
  EXPECT_GT(first, 0);
  EXPECT_EQ(first, last);
}

TEST(Firm, MeasuringTheDriftChangesNothingAndCountsItsBytesApart) {
  Simulation plain(firm(firm_noisy(), 5), firm_noisy());
  Simulation measured(firm(firm_noisy(), 5, {{"measure_drift", true}}), firm_noisy());
  EXPECT_EQ(measured.run(1, 3), plain.run(1, 3));
  EXPECT_LT(measured.reports[0].bytes_up, plain.reports[0].bytes_up + std::uint64_t{5} * 150) << "two lambdas of each client";
  EXPECT_GT(measured.reports[0].measurement_bytes, std::uint64_t{5} * 2 * 4 * firm_noisy().layout()->size());
}

TEST(Firm, TheUpdatesSpreadAboutTheirMean) {
  const Parameters start = firm_noisy().initial_parameters();
  ClientHost host(firm(firm_noisy(), 8).client);
  std::vector<Reply> replies;
  std::vector<double> mean(start.size());
  for (int c = 0; c < 8; ++c) {
    Request request = Request("train").with(start.values());
    request.seed = request.round = 1;
    replies.push_back(host.handle({c, request}));
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += replies.back().update[i] / 8;
  }
  double expected = 0;
  for (const Reply& reply : replies) {
    for (std::size_t i = 0; i < mean.size(); ++i) expected += std::pow(reply.update[i] - mean[i], 2) / 8;
  }
  Simulation simulation(firm(firm_noisy(), 8), firm_noisy());
  simulation.run(1, 1);
  EXPECT_NEAR(std::get<double>(simulation.reports[0].metrics.values().at("update_spread")), expected, 1e-5 * expected);
}

/// Client c trains as ever and says that it has c + 1 samples.
class UnevenQuadratics : public Quadratics {
 public:
  using Quadratics::Quadratics;
  std::unique_ptr<ObjectiveSteps> objective_steps(int client, const LocalTrainingOptions&) const override {
    return std::make_unique<Steps>(oracle(client), client + 1);
  }

 private:
  class Steps : public OracleSteps {
   public:
    Steps(std::unique_ptr<GradientOracle> oracle, double samples) : OracleSteps(std::move(oracle)), samples_(samples) {}
    double num_samples() const override { return samples_; }

   private:
    double samples_;
  };
};

TEST(Firm, ClientsCountAsConfigured) {
  const UnevenQuadratics problem({.clients = 3, .objectives = 2, .gradient_noise = 0.3}, 7);
  const Parameters start = problem.initial_parameters();
  ClientHost host(firm(problem, 3).client);
  for (const bool by_samples : {false, true}) {
    std::vector<double> expected(start.values().begin(), start.values().end());
    for (int c = 0; c < 3; ++c) {
      Request request = Request("train").with(start.values());
      request.seed = request.round = 1;
      const Reply reply = host.handle({c, request});
      const double share = by_samples ? (c + 1) / 6.0 : 1 / 3.0;
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= 0.5 * share * reply.update[i];
    }
    Simulation simulation(firm(problem, 3, {{"server_lr", 0.5}, {"client_weighting", std::string(by_samples ? "samples" : "uniform")}}),
                          problem);
    EXPECT_THAT(simulation.run(1, 1), Pointwise(DoubleNear(1e-5), expected));
  }
}

TEST(Firm, HeadsTakePartInTheGramianWhereAskedFor) {
  const auto workload = small_glyphs();
  for (const char* name : {"firm", "fedcmoo_a"}) {
    const auto norms = [&](bool with_heads) {
      Simulation simulation(
          strategy_named(name, *workload,
                         {{"cohort_size", std::int64_t{2}}, {"local_steps", std::int64_t{1}}, {"gramian_of_heads", with_heads}}),
          *workload);
      simulation.run(1, 1);
      return std::pair(firm_figure(simulation.reports[0], "client_gradient_norm"), firm_figure(simulation.reports[0], "lambda"));
    };
    const auto [whole, whole_lambda] = norms(true);
    const auto [shared, shared_lambda] = norms(false);
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_GT(whole[i], shared[i]) << name;
    EXPECT_NE(whole_lambda, shared_lambda) << name;
  }
}

// One update of d numbers, and figures whose count does not depend on d.
TEST(Firm, UploadsOneUpdateAndAFewFigures) {
  const auto bytes = [](std::int64_t objectives, std::int64_t dimension) {
    const Quadratics problem({.clients = 4, .objectives = objectives, .dimension = dimension}, 7);
    Simulation simulation(firm(problem, 4), problem, {.runtime = {.threads = 1, .through_wire = true}});
    simulation.run(1, 1);
    return simulation.reports[0].bytes_up / 4;
  };
  EXPECT_EQ(bytes(3, 1000) - bytes(3, 500), 4 * 500U);
  EXPECT_LE(bytes(3, 1000), 4 * 1000 + 400U);
  EXPECT_EQ(bytes(10, 500) - bytes(3, 500), 7 * 3 * 8U);  // losses, lambda, gradient norms
}

TEST(Firm, NeedsLocalStepsOnEachObjective) {
  const EnvironmentWorkload treasure({.environment = "deep-sea-treasure-v0", .clients = 4}, 1);
  for (const char* name : {"firm", "tfirm", "fedcmoo_a"}) {
    EXPECT_THAT(
        [&] {
          strategy_named(name, treasure, {{"cohort_size", std::int64_t{4}}});
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr("expected a workload with local steps on each objective")))
        << name;
  }
}

TEST(Firm, FindsOptionsThatDoNotFitBeforeAnyRound) {
  EXPECT_THROW(firm(firm_noisy(), 4, {{"preference", std::vector<double>{1, 2}}}), Error);
  EXPECT_THROW(firm(firm_noisy(), 4, {{"preference", std::vector<double>{1, 0, 2}}}), Error);
  EXPECT_THROW(firm(firm_noisy(), 4, {}, {.values = {{"preference", std::vector<double>{1, 2}}}, .tables = {}}), Error);
}

}  // namespace
}  // namespace paretofl
