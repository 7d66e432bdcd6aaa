// Servers that weigh or change the updates of single clients: FedMGDA+, AFL, q-FedAvg, FedFV and FedExP, with values computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"
#include "tests/strategies/known_minimizers.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;
using testing::ThrowsMessage;
using Values = std::map<std::string, Settings::Value>;

/// All clients, one local step with rate 1 unless the values say otherwise: a client's update at zero is - a_i c_i.
Simulation baseline_of_all(const std::string& name, const Workload& workload, Values values = {}) {
  values.insert({{"cohort_size", std::int64_t{workload.num_clients()}}, {"local_steps", std::int64_t{1}}, {"client_lr", 1.0}});
  return Simulation(strategy_named(name, workload, std::move(values)), workload);
}

std::vector<float> after_one_round(const std::string& name, const Workload& workload, Values values = {}) {
  return baseline_of_all(name, workload, std::move(values)).run(1, 1);
}

std::vector<double> metric_of(const RoundReport& report, const std::string& name) {
  const Metrics::Value& value = report.metrics.values().at(name);
  if (const auto* number = std::get_if<double>(&value)) return {*number};
  return std::get<std::vector<double>>(value);
}

/// Two clients at a right angle, one of them ten times as far away.
const KnownMinimizers& right_angle() {
  static const KnownMinimizers kProblem({{1, {10, 0}}, {1, {0, 1}}});
  return kProblem;
}

/// Two clients that conflict: <u_0, u_1> = -1.
const KnownMinimizers& opposed() {
  static const KnownMinimizers kProblem({{1, {1, 0}}, {1, {-1, 2}}});
  return kProblem;
}

TEST(FedMgdaPlus, WithoutSlackStepsAlongTheMeanOfNormalizedUpdates) {
  EXPECT_THAT(after_one_round("fedmgda_plus", right_angle(), {{"epsilon", 0.0}}), ElementsAre(FloatNear(0.5, 1e-6), FloatNear(0.5, 1e-6)));
}

TEST(FedMgdaPlus, KeepsWeightsWithinEpsilon) {
  // Unit vectors at 0, 0 and 90 degrees: MGDA gives the third client half of the weight, epsilon allows 1/3 + 0.1.
  const KnownMinimizers workload({{1, {1, 0}}, {1, {3, 0}}, {1, {0, 1}}});
  Simulation near = baseline_of_all("fedmgda_plus", workload, {{"epsilon", 0.1}});
  near.run(1, 1);
  EXPECT_THAT(metric_of(near.reports[0], "client_weight")[2], DoubleNear(1.0 / 3 + 0.1, 1e-9));
  Simulation free = baseline_of_all("fedmgda_plus", workload, {{"epsilon", 1.0}});
  free.run(1, 1);
  EXPECT_THAT(metric_of(free.reports[0], "client_weight")[2], DoubleNear(0.5, 1e-9));
}

TEST(FedMgdaPlus, FreeWeightsGiveACommonDescentDirection) {
  const KnownMinimizers workload({{1, {5, 1, 0}}, {2, {-1, 2, 1}}, {1, {0, 0.1F, 3}}, {1, {-4, 1, 1}}});
  const std::vector<float> theta = after_one_round("fedmgda_plus", workload, {{"epsilon", 1.0}});
  for (int client = 0; client < 4; ++client) {
    std::vector<float> gradient(3);
    const auto oracle = workload.oracle(client);
    oracle->objective_gradient(std::vector<float>(3), 0, {Random({1}, "x")}, gradient);
    double slope = 0, norm = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      slope += double{gradient[j]} * theta[j];
      norm += double{gradient[j]} * gradient[j];
    }
    double square = 0;
    for (const float x : theta) square += double{x} * x;
    EXPECT_GE(-slope / std::sqrt(norm), square - 1e-6) << client;
  }
}

TEST(FedMgdaPlus, AnUpdateOfLengthZeroStaysZero) {
  const KnownMinimizers workload({{1, {0, 0}}, {1, {0, 2}}});
  EXPECT_THAT(after_one_round("fedmgda_plus", workload, {{"epsilon", 0.0}}), ElementsAre(0, FloatNear(0.5, 1e-6)));
}

TEST(Afl, RaisesTheWeightOfTheWorstClient) {
  // Losses 50 and 0.5: p = projection of (0.5 + 0.5, 0.5 + 0.005) = (0.7475, 0.2525).
  Simulation simulation = baseline_of_all("afl", right_angle(), {{"weight_lr", 0.01}});
  const std::vector<float> theta = simulation.run(1, 1);
  EXPECT_THAT(theta, ElementsAre(FloatNear(5, 1e-6), FloatNear(0.5, 1e-6)));
  EXPECT_THAT(metric_of(simulation.reports[0], "client_losses"), ElementsAre(DoubleNear(50, 1e-6), DoubleNear(0.5, 1e-6)));
  EXPECT_THAT(metric_of(simulation.reports[0], "mixture_weight"), ElementsAre(DoubleNear(0.7475, 1e-9), DoubleNear(0.2525, 1e-9)));
}

TEST(Afl, AClientOfACohortStandsForTheOthers) {
  // One of two clients: its update counts as a whole, and its loss twice in the ascent.
  Simulation simulation = baseline_of_all("afl", right_angle(), {{"cohort_size", std::int64_t{1}}, {"weight_lr", 0.01}});
  const std::vector<float> theta = simulation.run(1, 1);
  const std::vector<double> weights = metric_of(simulation.reports[0], "mixture_weight");
  if (metric_of(simulation.reports[0], "cohort")[0] == 0) {
    EXPECT_THAT(theta, ElementsAre(FloatNear(10, 1e-6), 0));
    EXPECT_THAT(weights, ElementsAre(DoubleNear(1, 1e-9), DoubleNear(0, 1e-9)));
  } else {
    EXPECT_THAT(theta, ElementsAre(0, FloatNear(1, 1e-6)));
    EXPECT_THAT(weights, ElementsAre(DoubleNear(0.495, 1e-9), DoubleNear(0.505, 1e-9)));
  }
}

TEST(Afl, LossesOfTheWorstAreSmallerThanFedAvgs) {
  // On a line: the minimax of x^2 / 2 and 2 (x - 3)^2 is where they are equal, x = 2; the mean's minimum is 2.4.
  const KnownMinimizers workload({{1, {0}}, {4, {3}}});
  const Values slow{{"client_lr", 0.02}, {"weight_lr", 0.002}};
  EXPECT_NEAR(baseline_of_all("afl", workload, slow).run(1, 6000)[0], 2, 0.02);
  EXPECT_NEAR(baseline_of_all("fedavg", workload, {{"client_lr", 0.02}}).run(1, 2000)[0], 2.4, 1e-3);
}

TEST(Afl, AWeightRateOfZeroIsFedAvg) {
  EXPECT_EQ(after_one_round("afl", opposed(), {{"weight_lr", 0.0}}), after_one_round("fedavg", opposed()));
}

TEST(Qffl, WithoutFairnessIsFedAvg) {
  const Quadratics workload({.clients = 5, .objectives = 2}, 3);
  const Values settings{{"local_steps", std::int64_t{3}}, {"client_lr", 0.1}};
  Values fair = settings;
  fair.emplace("q", 0.0);
  EXPECT_THAT(baseline_of_all("qffl", workload, fair).run(1, 5),
              Pointwise(FloatNear(1e-5F), baseline_of_all("fedavg", workload, settings).run(1, 5)));
}

TEST(Qffl, TakesTheStepOfAlgorithm2) {
  // u = (-10, 0), (0, -1), L = 1, f = 50, 0.5 and q = 1: Delta = 50 u_0 + 0.5 u_1, h = 100 + 50 + 1 + 0.5.
  EXPECT_THAT(after_one_round("qffl", right_angle(), {{"q", 1.0}}),
              ElementsAre(FloatNear(500 / 151.5F, 1e-5F), FloatNear(0.5F / 151.5F, 1e-6F)));
  EXPECT_EQ(after_one_round("qffl", right_angle(), {{"losses", std::string("local")}}), after_one_round("qffl", right_angle()));
}

TEST(Qffl, RefusesStepsThatAreNotGradientDescent) {
  EXPECT_THAT(
      [] {
        after_one_round("qffl", opposed(), {{"optimizer", std::string("adam")}});
      },
      ThrowsMessage<Error>("strategy.optimizer: expected sgd with qffl, which computes gradients from local steps, found adam"));
  EXPECT_THAT(
      [] {
        after_one_round("qffl", opposed(), {{"client_lr", 0.0}});
      },
      ThrowsMessage<Error>("strategy.client_lr: expected a positive number with qffl, found 0"));
}

TEST(FedFv, ProjectsConflictsAwayAndKeepsTheLengthOfTheMean) {
  // u_0 = (-1, 0), u_1 = (1, -2): u_0 becomes (-0.8, -0.4), u_1 becomes (0, -2); their mean (-0.4, -1.2) gets the length 1.
  Simulation simulation = baseline_of_all("fedfv", opposed(), {{"kept_share", 0.0}});
  const std::vector<float> theta = simulation.run(1, 1);
  const double length = std::sqrt(0.4 * 0.4 + 1.2 * 1.2);
  EXPECT_THAT(theta, ElementsAre(FloatNear(static_cast<float>(0.4 / length), 1e-6F), FloatNear(static_cast<float>(1.2 / length), 1e-6F)));
  EXPECT_THAT(metric_of(simulation.reports[0], "internal_conflicts"), ElementsAre(2));
  EXPECT_GE(theta[0] * 1, 0) << "no conflict with the first client is left";
  EXPECT_GE(theta[0] * -1 + theta[1] * 2, 0) << "nor with the second";
}

TEST(FedFv, KeepsTheUpdatesOfTheLargestLosses) {
  // f_0 = 0.5, f_1 = 2.5: with half of the cohort kept, only u_0 is projected: mean of (-0.8, -0.4) and (1, -2).
  const std::vector<float> theta = after_one_round("fedfv", opposed(), {{"kept_share", 0.5}});
  EXPECT_NEAR(theta[0] / theta[1], -0.1 / 1.2, 1e-6);
  EXPECT_NEAR(std::hypot(theta[0], theta[1]), 1, 1e-6);
}

TEST(FedFv, TheKeptShareOfWholeClientsIsRoundedDownFromTheProduct) {
  // 0.58 of 50 clients is 29, though its product in double precision is a little less.
  std::vector<KnownMinimizers::Client> clients;
  for (int i = 0; i < 50; ++i) {
    const auto angle = 0.9F * static_cast<float>(i), length = 1 + 0.1F * static_cast<float>(i);
    clients.push_back({1, {length * std::cos(angle), length * std::sin(angle)}});
  }
  const KnownMinimizers around(clients);
  const auto with = [&](double share) { return after_one_round("fedfv", around, {{"kept_share", share}}); };
  EXPECT_EQ(with(0.58), with(0.585));
  EXPECT_NE(with(0.58), with(0.57));
}

TEST(FedFv, WithoutConflictsIsFedAvg) {
  EXPECT_THAT(after_one_round("fedfv", right_angle()), Pointwise(FloatNear(1e-6F), after_one_round("fedavg", right_angle())));
}

TEST(FedFv, HeedsClientsThatDroppedOut) {
  // One client a round, and the other conflicts with it whenever the two take turns.
  const KnownMinimizers workload({{1, {1, 0}}, {1, {-1, 0.5F}}});
  const auto conflicts = [&](std::int64_t memory) {
    Simulation simulation = baseline_of_all(
        "fedfv", workload, {{"cohort_size", std::int64_t{1}}, {"memory", memory}, {"client_lr", 0.01}, {"losses", std::string("local")}});
    simulation.run(1, 12);
    double sum = 0;
    for (const RoundReport& report : simulation.reports) sum += metric_of(report, "external_conflicts")[0];
    return sum;
  };
  EXPECT_EQ(conflicts(0), 0);
  EXPECT_GT(conflicts(1), 0);
}

TEST(FedFv, StepsAcrossTheUpdateOfAClientThatDroppedOut) {
  const KnownMinimizers workload({{1, {1, 0}}, {1, {-1, 0.5F}}});
  const Values settings{
      {"cohort_size", std::int64_t{1}}, {"memory", std::int64_t{1}}, {"client_lr", 0.01}, {"losses", std::string("local")}};
  const auto theta_after = [&](int rounds) { return baseline_of_all("fedfv", workload, settings).run(1, rounds); };
  Simulation simulation = baseline_of_all("fedfv", workload, settings);
  simulation.run(1, 12);
  int round = 2;  // the first one with a conflict, so that the step before it was the client's own update
  while (round < 12 && metric_of(simulation.reports[static_cast<std::size_t>(round) - 1], "external_conflicts")[0] == 0) ++round;
  ASSERT_LT(round, 12);
  const std::vector<float> before = round > 2 ? theta_after(round - 2) : std::vector<float>(2);
  const std::vector<float> from = theta_after(round - 1), to = theta_after(round);
  double product = 0;
  for (std::size_t j = 0; j < 2; ++j) product += (double{from[j]} - before[j]) * (double{to[j]} - from[j]);
  const double lengths = std::hypot(from[0] - before[0], from[1] - before[1]) * std::hypot(to[0] - from[0], to[1] - from[1]);
  EXPECT_GT(lengths, 0);
  EXPECT_NEAR(product / lengths, 0, 1e-3);
}

TEST(FedExp, EqualUpdatesHaveTheStepOfFedAvg) {
  const KnownMinimizers workload({{1, {3, 1}}, {1, {3, 1}}});
  Simulation simulation = baseline_of_all("fedexp", workload);
  EXPECT_THAT(simulation.run(1, 1), ElementsAre(3, 1));
  EXPECT_THAT(metric_of(simulation.reports[0], "server_lr"), ElementsAre(1));
}

TEST(FedExp, ExtrapolatesWhereUpdatesDisagree) {
  // ||u_0||^2 = 1, ||u_1||^2 = 37, mean u = (0, -3): eta = 19 / (2 * 9 + 2 epsilon).
  const KnownMinimizers workload({{1, {1, 0}}, {1, {-1, 6}}});
  Simulation simulation = baseline_of_all("fedexp", workload, {{"epsilon", 0.05}});
  const std::vector<float> theta = simulation.run(1, 1);
  EXPECT_THAT(metric_of(simulation.reports[0], "server_lr"), ElementsAre(DoubleNear(19 / 18.1, 1e-6)));
  EXPECT_THAT(theta, ElementsAre(FloatNear(0, 1e-6), FloatNear(3 * 19 / 18.1F, 1e-5F)));
}

TEST(FedExp, NormsCountAsTheUpdatesDo) {
  // Shares 1/4 and 3/4: the mean of ||u||^2 is 9 / 4 + 3 * 2 / 4 = 3.75, the mean u (0, -0.75).
  const KnownMinimizers workload({{1, {3, 0}, 1}, {1, {-1, 1}, 3}});
  Simulation simulation = baseline_of_all("fedexp", workload, {{"epsilon", 0.05}, {"client_weighting", std::string("samples")}});
  const std::vector<float> theta = simulation.run(1, 1);
  const double rate = 3.75 / (2 * (0.5625 + 0.05));
  EXPECT_THAT(metric_of(simulation.reports[0], "server_lr"), ElementsAre(DoubleNear(rate, 1e-6)));
  EXPECT_THAT(theta, ElementsAre(FloatNear(0, 1e-6), FloatNear(static_cast<float>(0.75 * rate), 1e-5F)));
}

}  // namespace
}  // namespace paretofl
