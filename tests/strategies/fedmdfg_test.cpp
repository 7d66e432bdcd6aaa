// FedMDFG: its direction, its search for a step, and its rounds, with values computed by hand.
#include "paretofl/scalarized/fedmdfg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/optimization/vectors.h"
#include "paretofl/scalarized/expected_losses.h"
#include "paretofl/scalarized/fair_direction.h"
#include "paretofl/scalarized/step_search.h"
#include "paretofl/scalarized/step_trial_client.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"
#include "tests/strategies/known_minimizers.h"

namespace paretofl {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::ThrowsMessage;
using GuidedValues = std::map<std::string, Settings::Value>;

TEST(FairGuidance, IsNormalToTheLossesAndAwayFromEqualOnes) {
  // (3, 4) has the cosine 7 / (5 sqrt 2) with (1, 1); what is left of (1, 1) is along (0.8, -0.6).
  EXPECT_THAT(fair_guidance(std::vector<double>{3, 4}), ElementsAre(DoubleNear(-0.8, 1e-12), DoubleNear(0.6, 1e-12)));
  const std::vector<double> losses{0.3, 2, 1, 5};
  const std::vector<double> h = fair_guidance(losses);
  EXPECT_NEAR(std::inner_product(h.begin(), h.end(), losses.begin(), 0.0), 0, 1e-12);
  EXPECT_NEAR(std::inner_product(h.begin(), h.end(), h.begin(), 0.0), 1, 1e-12);
  EXPECT_LT(std::accumulate(h.begin(), h.end(), 0.0), 0);
}

TEST(FairGuidance, HasNoDirectionWhereLossesAreEqual) {
  EXPECT_THAT(fair_guidance(std::vector<double>{0.7, 0.7, 0.7}), IsEmpty());
  EXPECT_THAT(fair_guidance(std::vector<double>{0, 0}), IsEmpty());
  EXPECT_THAT(fair_guidance(std::vector<double>{2}), IsEmpty());
}

TEST(FairnessAngle, IsThatBetweenTheLossesAndEqualOnes) {
  EXPECT_NEAR(fairness_angle(std::vector<double>{1, 0}), 45, 1e-9);
  EXPECT_NEAR(fairness_angle(std::vector<double>{2, 2, 2}), 0, 1e-5);
  EXPECT_EQ(fairness_angle(std::vector<double>{0, 0}), 0);
}

TEST(FairDirectionOfGradients, HasTheLengthOfTheirMean) {
  const FairDirection found = fair_direction(std::vector<float>{1, 0, 0, 2}, {}, {}, 2);
  EXPECT_THAT(found.weights, ElementsAre(DoubleNear(0.8, 1e-12), DoubleNear(0.2, 1e-12)));
  // The shortest combination is (0.8, 0.4); the mean (0.5, 1) is sqrt(1.25 / 0.8) = 1.25 times as long.
  EXPECT_THAT(found.direction, ElementsAre(FloatNear(1, 1e-6), FloatNear(0.5, 1e-6)));
}

TEST(FairDirectionOfGradients, DescendsAllGradientsTheAngleAndEarlierOnes) {
  const Random stream({3}, "fair direction");
  constexpr std::size_t kSize = 12;
  for (int trial = 0; trial < 50; ++trial) {
    Random draws = stream.substream("trial", static_cast<std::uint64_t>(trial));
    std::vector<float> gradients(5 * kSize), earlier(2 * kSize);
    std::vector<double> losses(5);
    for (float& x : gradients) x = static_cast<float>(draws.normal());
    for (float& x : earlier) x = static_cast<float>(draws.normal());
    for (double& loss : losses) loss = draws.uniform();
    const std::vector<double> h = fair_guidance(losses);
    const FairDirection found = fair_direction(gradients, h, earlier, kSize);
    ASSERT_EQ(found.weights.size(), 8U);
    ASSERT_EQ(found.direction.size(), kSize);
    double change_along_h = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      const double slope = dot_product(std::span(gradients).subspan(i * kSize, kSize), found.direction);
      EXPECT_GT(slope, 0);
      change_along_h += h[i] * slope;
    }
    EXPECT_GT(change_along_h, 0);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_GT(dot_product(std::span(earlier).subspan(i * kSize, kSize), found.direction), 0);
  }
}

TEST(FairDirectionOfGradients, IsNoneWhereThePointIsParetoCritical) {
  EXPECT_THAT(fair_direction(std::vector<float>{1, 0, -1, 0}, {}, {}, 2).direction, IsEmpty());
  EXPECT_THAT(fair_direction(std::vector<float>{1, 0}, {}, std::vector<float>{-3, 0}, 2).direction, IsEmpty());
}

TEST(FairDirectionOfGradients, NormsAreMadeEqual) {
  std::vector<float> rows{3, 4, 0, 15};
  EXPECT_THAT(equalize_norms(rows, 2), ElementsAre(testing::DoubleNear(0.5, 1e-7), testing::DoubleNear(1.5, 1e-7)));
  EXPECT_THAT(rows, ElementsAre(FloatNear(6, 1e-6), FloatNear(8, 1e-6), FloatNear(0, 1e-6), FloatNear(10, 1e-6)));
}

/// Losses of one client along a line, by step.
StepSearch::LossesAt on_a_line(std::function<double(double)> loss) {
  return [loss = std::move(loss)](double step) { return std::vector<std::optional<double>>{loss(step)}; };
}

TEST(StepSearchOfFedMdfg, TakesTheLargestStepWithEnoughDescent) {
  // (1 - t)^2 / 2 with slope 1: any t below 2 (1 - 1e-4) will do.
  const auto parabola = on_a_line([](double t) { return (1 - t) * (1 - t) / 2; });
  const std::vector<double> losses{0.5}, slopes{1};
  const auto found = StepSearch{.eta = 0.3, .first = 5, .last = -5}.find(losses, slopes, parabola);
  EXPECT_EQ(found.step, 0.3 * 4);
  EXPECT_EQ(found.trials, 4);
  EXPECT_TRUE(found.sufficient);
  EXPECT_EQ((StepSearch{.eta = 0.3}.find(losses, slopes, parabola).trials), 1);
  const auto at_the_bound = StepSearch{.eta = 2}.find(losses, slopes, parabola);
  EXPECT_FALSE(at_the_bound.sufficient) << "the loss at t = 2 is that at 0";
}

TEST(StepSearchOfFedMdfg, NeedsEveryLossToFall) {
  const auto two = [](double t) { return std::vector<std::optional<double>>{1 - t, t > 0.3 ? 1.1 : 0.9}; };
  const auto found = StepSearch{.eta = 1, .first = 0, .last = -3}.find(std::vector<double>{1, 1}, std::vector<double>{1, 1}, two);
  EXPECT_EQ(found.step, 0.25);
  EXPECT_TRUE(found.sufficient);
  const auto without_the_second = [](double t) { return std::vector<std::optional<double>>{1 - t, std::nullopt}; };
  EXPECT_EQ((StepSearch{}.find(std::vector<double>{1, 1}, std::vector<double>{1, 1}, without_the_second).sufficient), true);
}

TEST(StepSearchOfFedMdfg, NeedsTheAngleToFallWhereAsked) {
  // From (2, 1), which falls to (2 - t, 1 - t) and thus away from equal losses, but to (1.6, 0.9) for steps below 0.3.
  const auto two = [](double t) {
    return t > 0.3 ? std::vector<std::optional<double>>{2 - t, 1 - t} : std::vector<std::optional<double>>{1.6, 0.9};
  };
  const std::vector<double> losses{2, 1}, slopes{1, 1};
  StepSearch search{.eta = 0.5, .first = 0, .last = -3};
  EXPECT_EQ(search.find(losses, slopes, two).step, 0.5);
  search.fairer = true;
  EXPECT_EQ(search.find(losses, slopes, two).step, 0.25);
}

TEST(StepSearchOfFedMdfg, FallsBackOnTheSumOfTheLosses) {
  const std::vector<double> losses{1, 1}, slopes{1, 1};
  const StepSearch search{.eta = 1, .first = 1, .last = -2};
  // One loss always rises. Their sum is lower for steps up to 1, and lowest for 0.25.
  const auto lower = [](double t) { return std::vector<std::optional<double>>{t > 1 ? 1.0 : 0.5 + t / 4, 1.1}; };
  const auto found = search.find(losses, slopes, lower);
  EXPECT_EQ(found.step, 1);
  EXPECT_EQ(found.trials, 4);
  EXPECT_FALSE(found.sufficient);
  const auto higher = [](double t) { return std::vector<std::optional<double>>{1 + std::abs(t - 0.5), 1.1}; };
  EXPECT_EQ(search.find(losses, slopes, higher).step, 0.5);
}

TEST(StepSearchOfFedMdfg, ALossThatIsNotFiniteMeetsNothing) {
  const std::vector<double> losses{1}, slopes{1};
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    const auto found = StepSearch{.eta = 1, .first = 1, .last = 0}.find(losses, slopes, on_a_line([&](double) { return bad; }));
    EXPECT_EQ(found.step, 0);
    EXPECT_FALSE(found.sufficient);
  }
}

TEST(ExpectedLossesOfFedMdfg, AreMeansOfLossesThatDidNotRise) {
  ExpectedLosses expected(3);
  const Cohort both{{0, 2}, 2};
  EXPECT_FALSE(expected.some_rose(both, std::vector<double>{5, 7})) << "nothing is expected yet";
  expected.add(both, std::vector<double>{4, 2});
  EXPECT_TRUE(expected.some_rose(both, std::vector<double>{4, 3}));
  EXPECT_FALSE(expected.some_rose(both, std::vector<double>{5, 3})) << "all rose";
  expected.add(both, std::vector<double>{2, 3});  // now 3 and 2 after two rounds
  EXPECT_TRUE(expected.some_rose(both, std::vector<double>{3.1, 2}));
  EXPECT_FALSE(expected.some_rose(both, std::vector<double>{3, 2}));
  expected.add(both, std::vector<double>{0, 2});  // now (2 * 3 + 0) / 3
  EXPECT_TRUE(expected.some_rose(both, std::vector<double>{2.1, 2}));
  Record state;
  expected.save(state);
  ExpectedLosses loaded(3);
  loaded.load(state);
  EXPECT_TRUE(loaded.some_rose(both, std::vector<double>{2.1, 2}));
  EXPECT_FALSE(loaded.some_rose(both, std::vector<double>{2, 2}));
}

/// All clients, one local step with rate 1 unless the values say otherwise.
Simulation guided(const Workload& workload, GuidedValues values = {}, const Simulation::Options& options = {}) {
  values.insert({{"cohort_size", std::int64_t{workload.num_clients()}}, {"local_steps", std::int64_t{1}}, {"client_lr", 1.0}});
  return Simulation(strategy_named("fedmdfg", workload, std::move(values)), workload, options);
}

std::vector<double> guided_figure(const RoundReport& report, const std::string& name) {
  const Metrics::Value& value = report.metrics.values().at(name);
  if (const auto* number = std::get_if<double>(&value)) return {*number};
  return std::get<std::vector<double>>(value);
}

TEST(FedMdfg, OneClientTakesTheLargestStepThatDescends) {
  const KnownMinimizers workload(std::vector<KnownMinimizers::Client>{{1, {3, -1}}});
  Simulation simulation = guided(workload);
  EXPECT_THAT(simulation.run(1, 1), ElementsAre(FloatNear(3, 1e-6), FloatNear(-1, 1e-6)));
  EXPECT_THAT(guided_figure(simulation.reports[0], "trials"), ElementsAre(6)) << "32, 16, 8, 4, 2 and 1";
  EXPECT_THAT(guided_figure(simulation.reports[0], "server_lr"), ElementsAre(1));
  EXPECT_THAT(guided_figure(simulation.reports[0], "sufficient"), ElementsAre(1));
  simulation.run(2, 2);
  EXPECT_THAT(guided_figure(simulation.reports[1], "trials"), ElementsAre(0)) << "no gradient is left";
}

TEST(FedMdfg, StepsAreMeasuredInLocalSteps) {
  // tau = 4 steps of 0.1 leave 0.9^4 of the way, so that the gradient seems to be (1 - 0.9^4) / 0.4 times that at theta.
  const KnownMinimizers workload(std::vector<KnownMinimizers::Client>{{1, {2}}});
  const float seems = static_cast<float>((1 - std::pow(0.9, 4)) / 0.4);
  const GuidedValues settings{{"local_steps", std::int64_t{4}}, {"client_lr", 0.1}, {"search", std::int64_t{0}}, {"server_lr", 0.5}};
  EXPECT_THAT(guided(workload, settings).run(1, 1), ElementsAre(FloatNear(2 * 0.5F * 0.4F * seems, 1e-6F)));
}

TEST(FedMdfg, WithoutSearchNormalUpdatesOfOneLengthAreAveraged) {
  const KnownMinimizers workload({{1, {2, 0}}, {1, {0, 2}}});
  EXPECT_THAT(guided(workload, {{"search", std::int64_t{0}}}).run(1, 1), ElementsAre(FloatNear(1, 1e-6), FloatNear(1, 1e-6)));
}

TEST(FedMdfg, LowersEveryLossAndTheAngleOfAnUnfairModel) {
  const KnownMinimizers workload({{1, {5, 1, 0}}, {2, {1, 2, 1}}, {1, {0.5F, 1, 3}}});
  Simulation simulation = guided(workload);
  simulation.run(1, 2);
  const auto before = guided_figure(simulation.reports[0], "client_losses"), after = guided_figure(simulation.reports[1], "client_losses");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(after[i], before[i]);
  EXPECT_GT(guided_figure(simulation.reports[0], "fairness_angle")[0], 11.25);
  EXPECT_LT(fairness_angle(after), fairness_angle(before));
  EXPECT_GT(guided_figure(simulation.reports[0], "guidance_weight")[0], 0);
  EXPECT_THAT(guided_figure(simulation.reports[0], "sufficient"), ElementsAre(1));
}

TEST(FedMdfg, AsksOfAClientWithASmallGradientWhatThatGradientPromises) {
  const KnownMinimizers workload({{1, {2, 0}}, {1e-5F, {0, 2}}});
  Simulation simulation = guided(workload, {{"fair_angle", 90.0}});
  simulation.run(1, 1);
  EXPECT_THAT(guided_figure(simulation.reports[0], "sufficient"), ElementsAre(1));
  EXPECT_LE(guided_figure(simulation.reports[0], "server_lr")[0], 4);
}

TEST(FedMdfg, TheGuidanceIsOfTheGradientsAsTheyAre) {
  // Losses 1 and 3 with gradients -1.41 and -5.66: a step to the right lowers both and their angle. With gradients of one length it would
  // seem to raise the angle.
  const KnownMinimizers workload({{1, {std::sqrt(2.F)}}, {16 / 3.F, {1.06066F}}});
  Simulation simulation = guided(workload);
  EXPECT_GT(simulation.run(1, 1)[0], 0);
  EXPECT_GT(guided_figure(simulation.reports[0], "fairness_angle")[0], 11.25);
  EXPECT_GT(guided_figure(simulation.reports[0], "trials")[0], 0);
}

TEST(FedMdfg, LeavesOutAGuidanceThatNoDirectionFollows) {
  // Losses 1 and 3 with gradients -4 and -1: whatever lowers both raises their angle.
  const KnownMinimizers workload({{8, {0.5F}}, {1 / 6.F, {6}}});
  Simulation simulation = guided(workload);
  EXPECT_GT(simulation.run(1, 1)[0], 0);
  EXPECT_GT(guided_figure(simulation.reports[0], "fairness_angle")[0], 11.25);
  EXPECT_THAT(guided_figure(simulation.reports[0], "guidance_weight"), ElementsAre(0));
}

TEST(FedMdfg, AModelThatIsFairEnoughHasNoGuidance) {
  const KnownMinimizers workload({{1, {5, 1, 0}}, {2, {1, 2, 1}}, {1, {0.5F, 1, 3}}});
  Simulation simulation = guided(workload, {{"fair_angle", 90.0}});
  simulation.run(1, 1);
  EXPECT_THAT(guided_figure(simulation.reports[0], "guidance_weight"), ElementsAre(0));
}

TEST(FedMdfg, EndsAtAFairerModelThanFedAvg) {
  const KnownMinimizers workload({{1, {4, 1}}, {1, {3, 2}}, {1, {-1, 4}}});
  const auto angle_after = [&](const std::string& strategy) {
    const GuidedValues settings{{"cohort_size", std::int64_t{3}}, {"local_steps", std::int64_t{1}}, {"client_lr", 0.2}};
    const std::vector<float> theta = Simulation(strategy_named(strategy, workload, settings), workload).run(1, 60);
    std::vector<double> losses;
    for (int client = 0; client < 3; ++client) losses.push_back(workload.oracle(client)->local_losses(theta)[0]);
    return fairness_angle(losses);
  };
  EXPECT_LT(angle_after("fedmdfg"), 0.7 * angle_after("fedavg"));
}

TEST(FedMdfg, LeavesOutAClientWithoutAGradient) {
  const KnownMinimizers workload({{1, {0, 0}}, {1, {0, 2}}});
  Simulation simulation = guided(workload);
  EXPECT_THAT(simulation.run(1, 1), ElementsAre(FloatNear(0, 1e-6), FloatNear(2, 1e-6)));
  EXPECT_THAT(guided_figure(simulation.reports[0], "client_weight"), ElementsAre(0, 1));
}

TEST(FedMdfg, StaysWhereNothingDescendsEveryLoss) {
  const KnownMinimizers workload({{1, {1, 0}}, {1, {-1, 0}}});
  Simulation simulation = guided(workload);
  EXPECT_THAT(simulation.run(1, 1), ElementsAre(0, 0));
  EXPECT_THAT(guided_figure(simulation.reports[0], "server_lr"), ElementsAre(0));
}

TEST(FedMdfg, DoesNotAscendAlongTheGradientOfAClientThatDroppedOut) {
  const KnownMinimizers workload({{1, {1, 0}}, {1, {-1, 0.5F}}});
  const GuidedValues settings{{"cohort_size", std::int64_t{1}}, {"client_lr", 0.01}, {"search", std::int64_t{0}}};
  const auto theta_after = [&](int rounds) { return guided(workload, settings).run(1, rounds); };
  Simulation simulation = guided(workload, settings);
  simulation.run(1, 20);
  const auto client_of = [&](int round) { return guided_figure(simulation.reports[static_cast<std::size_t>(round) - 1], "cohort")[0]; };
  int round = 2;  // the first one with another client than the one before, whose step was along its own gradient
  while (round < 20 && client_of(round) == client_of(round - 1)) ++round;
  ASSERT_LT(round, 20);
  const std::vector<float> before = round > 2 ? theta_after(round - 2) : std::vector<float>(2);
  const std::vector<float> from = theta_after(round - 1), to = theta_after(round);
  double product = 0;
  for (std::size_t j = 0; j < 2; ++j) product += (double{from[j]} - before[j]) * (double{to[j]} - from[j]);
  EXPECT_GT(product, 0);
  EXPECT_THAT(guided_figure(simulation.reports[static_cast<std::size_t>(round) - 1], "client_weight"), Each(Le(0.9)));
}

TEST(FedMdfg, BeginsTheSearchAtEtaWhereAClientOfTheLastRoundIsMissing) {
  const KnownMinimizers workload({{1, {4, 1}}, {1, {1, 4}}});
  Simulation simulation = guided(workload, {{"cohort_size", std::int64_t{1}}, {"client_lr", 0.01}, {"search", std::int64_t{3}}});
  simulation.run(1, 12);
  for (std::size_t i = 0; i < simulation.reports.size(); ++i) {
    const bool same = i == 0 || guided_figure(simulation.reports[i], "cohort") == guided_figure(simulation.reports[i - 1], "cohort");
    EXPECT_THAT(guided_figure(simulation.reports[i], "server_lr"), ElementsAre(same ? 8 : 1)) << i;
  }
}

TEST(FedMdfg, LossesOnAllDataAreThoseOfExactMinibatches) {
  const KnownMinimizers workload({{1, {5, 1, 0}}, {2, {1, 2, 1}}, {1, {0.5F, 1, 3}}});
  EXPECT_EQ(guided(workload, {{"losses", std::string("local")}}).run(1, 3), guided(workload).run(1, 3));
}

TEST(FedMdfg, AFurtherTrialCostsNoVectors) {
  const Quadratics workload({.clients = 3, .objectives = 2, .dimension = 1000}, 3);
  Simulation simulation = guided(workload, {{"client_lr", 0.05}, {"server_lr", 8.0}}, {.runtime = {.threads = 1, .through_wire = true}});
  simulation.run(1, 1);
  const RoundReport& report = simulation.reports[0];
  const double trials = guided_figure(report, "trials")[0];
  ASSERT_GT(trials, 1);
  EXPECT_GE(report.bytes_down, 3U * 2 * 4000) << "theta and the direction";
  EXPECT_LT(report.bytes_down, 3U * (2 * 4000 + 200) + 3 * 200 * trials);
  EXPECT_GE(report.bytes_up, 3U * 4000);
  EXPECT_LT(report.bytes_up, 3U * (4000 + 200) + 3 * 200 * trials);
}

TEST(FedMdfg, GoesOnWithThoseWhoAnswer) {
  const Quadratics workload({.clients = 8, .objectives = 2}, 3);
  Simulation simulation =
      guided(workload, {{"client_lr", 0.05}}, {.runtime = {.threads = 1, .dropout_rate = 0.1}, .min_reply_fraction = 0.3});
  simulation.run(1, 10);
  std::vector<std::string> failed;
  for (const RoundReport& report : simulation.reports) {
    EXPECT_FALSE(report.abandoned);
    for (const Failure& failure : report.failures) failed.push_back(failure.verb);
  }
  EXPECT_THAT(failed, Contains(kTryStep));
  EXPECT_LT(guided_figure(simulation.reports.back(), "train_loss")[0], guided_figure(simulation.reports.front(), "train_loss")[0]);
}

/// A client that trains as it should and answers trials without losses.
class SilentInTrials : public ClientHalf {
 public:
  explicit SilentInTrials(std::unique_ptr<ClientHalf> honest) : honest_(std::move(honest)) {}

  Reply handle(const Request& request, StreamId stream) override {
    Reply reply = honest_->handle(request, stream);
    if (request.verb == kTryStep) reply.losses.clear();
    return reply;
  }
  void end_round() noexcept override { honest_->end_round(); }

 private:
  std::unique_ptr<ClientHalf> honest_;
};

TEST(FedMdfg, AnAnswerWithoutLossesIsLeftOutOfTheSearch) {
  const KnownMinimizers workload({{1, {2, 0}}, {1, {0, 2}}});
  Strategy strategy = strategy_named(
      "fedmdfg", workload, {{"cohort_size", std::int64_t{2}}, {"local_steps", std::int64_t{1}}, {"client_lr", 1.0}, {"fair_angle", 90.0}});
  strategy.client = [honest = strategy.client](int client) -> std::unique_ptr<ClientHalf> {
    if (client == 0) return std::make_unique<SilentInTrials>(honest(client));
    return honest(client);
  };
  Simulation simulation(std::move(strategy), workload);
  simulation.run(1, 1);
  EXPECT_FALSE(simulation.reports[0].abandoned);
  EXPECT_THAT(guided_figure(simulation.reports[0], "excluded_wrong_size"), ElementsAre(0));
  EXPECT_THAT(guided_figure(simulation.reports[0], "sufficient"), ElementsAre(1)) << "client 1's loss alone counts";
}

TEST(FedMdfg, RefusesStepsThatAreNotGradientDescent) {
  EXPECT_THAT(
      [] {
        guided(KnownMinimizers(std::vector<KnownMinimizers::Client>{{1, {1}}}), {{"optimizer", std::string("adam")}});
      },
      ThrowsMessage<Error>("strategy.optimizer: expected sgd with fedmdfg, which computes gradients from local steps, found adam"));
}

TEST(FedMdfg, AClientTriesNoStepBeforeItsTraining) {
  const KnownMinimizers workload(std::vector<KnownMinimizers::Client>{{1, {1, 0}}});
  StepTrialClient client({}, workload, 0, "minibatch");
  Request trial(kTryStep);
  trial.round = 1;
  trial.extra.scalars.emplace(kStep, 0.5);
  EXPECT_THAT([&] { client.handle(trial, {}); }, ThrowsMessage<Error>(HasSubstr("expected try_step after train in round 1")));
  Request train = Request("train").with(std::vector<float>{0, 0}).with_objective_weights({1});
  train.round = 1;
  client.handle(train, {});
  EXPECT_THAT([&] { client.handle(trial, {}); }, ThrowsMessage<Error>(HasSubstr("expected a direction in the first try_step")));
  Request first = Request(trial).with(std::vector<float>{-2, 0});
  EXPECT_THAT(client.handle(first, {}).losses, ElementsAre(0));
  trial.extra.scalars.at(kStep) = 1;
  EXPECT_THAT(client.handle(trial, {}).losses, ElementsAre(0.5));
  client.end_round();
  EXPECT_THAT([&] { client.handle(trial, {}); }, ThrowsMessage<Error>(HasSubstr("found no training")));
}

}  // namespace
}  // namespace paretofl
