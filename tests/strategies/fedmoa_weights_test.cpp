// What is said of the weights of rewards: figures of each client, warnings where they do not move, cosines as hypergradients.
#include <gmock/gmock.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/rounds/unmoved_weights.h"
#include "tests/simulation.h"
#include "tests/strategies/fixed_hypergradients_workload.h"
#include "tests/strategies/token_questions_workload.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using WeightValues = decltype(Settings::values);

/// The reports and the messages of some rounds.
struct WeighedRun {
  std::vector<RoundReport> reports;
  std::string messages;
};

WeighedRun weighed_run(const Workload& workload, WeightValues values, std::uint32_t rounds = 1, const std::string& strategy = "fedmoa") {
  Settings settings;
  settings.values = std::move(values);
  settings.values.emplace("local_steps", std::int64_t{4});
  settings.values.emplace("client_lr", 0.05);
  settings.values.emplace("cohort_size", std::int64_t{workload.num_clients()});
  testing::internal::CaptureStderr();
  Simulation simulation(strategies().at(strategy).make(settings, workload), workload);
  simulation.run(1, rounds);
  return {simulation.reports, testing::internal::GetCapturedStderr()};
}

std::vector<double> figure_of(const RoundReport& report, const std::string& name) {
  return std::get<std::vector<double>>(report.metrics.values().at(name));
}

TEST(FedMoaWeights, EachClientsRewardsAreRecorded) {
  const TokenQuestionsWorkload problem({2, 1});
  const WeighedRun run = weighed_run(problem, {{"local_evaluation_every", std::int64_t{1}}, {"hypergradient_rate", 5.0}});
  const RoundReport& report = run.reports[0];
  const auto rewards = figure_of(report, "client_reward");
  ASSERT_EQ(rewards.size(), 4U) << "two clients, two rewards";
  EXPECT_GT(rewards[0], 0);
  EXPECT_GT(rewards[1], 0);
  EXPECT_GT(rewards[2], 0);
  EXPECT_EQ(rewards[3], 0) << "a reward that the client does not have";
  const std::vector<std::string> names = problem.objective_names();
  EXPECT_NEAR((rewards[0] + rewards[2]) / 2, std::get<double>(report.metrics.values().at("reward_" + names[0])), 1e-12);
  EXPECT_NEAR(rewards[1], std::get<double>(report.metrics.values().at("reward_" + names[1])), 1e-12);
  const auto own = figure_of(report, "local_rewards");
  ASSERT_EQ(own.size(), 4U);
  const auto accuracy = figure_of(report, "local_accuracy");
  const auto mean = figure_of(report, "local_reward");
  EXPECT_THAT(accuracy, ElementsAre(own[0], own[2]));
  EXPECT_THAT(mean, ElementsAre(DoubleNear((own[0] + own[1]) / 2, 1e-12), DoubleNear(own[2], 1e-12)));
}

TEST(FedMoaWeights, ThatCanNotMoveAreAWarningWithTheReason) {
  const TokenQuestionsWorkload two({2, 2});
  const TokenQuestionsWorkload alone({1, 1});
  const std::string stay = "warning: adaptive_weights: the rewards' weights stay as they start: ";
  EXPECT_THAT(weighed_run(two, {{"local_steps", std::int64_t{1}}}).messages, HasSubstr(stay + "strategy.local_steps is 1"));
  EXPECT_THAT(weighed_run(two, {{"hypergradient_rate", 0.0}}).messages, HasSubstr(stay + "strategy.hypergradient_rate is 0"));
  const std::string messages = weighed_run(alone, {}, 3).messages;
  EXPECT_THAT(messages, HasSubstr(stay + "every client has a single reward"));
  EXPECT_EQ(messages.find("warning"), messages.rfind("warning")) << "once";
  EXPECT_EQ(weighed_run(two, {{"local_steps", std::int64_t{1}}}, 1, "fedgrpo").messages, "") << "they should not move";
}

TEST(FedMoaWeights, ThatDoNotMoveAreAWarningAfterTheFirstRound) {
  const TokenQuestionsWorkload problem({2, 2});
  const std::string messages = weighed_run(problem, {{"hypergradient_rate", 1e-6}}, 3).messages;
  EXPECT_THAT(messages, HasSubstr("warning: round 1: adaptive_weights: hypergradients move no reward's weight by more than"));
  EXPECT_EQ(messages.find("warning"), messages.rfind("warning")) << "once";
  EXPECT_EQ(weighed_run(problem, {{"hypergradient_rate", 5.0}}, 3).messages, "");
}

TEST(FedMoaWeights, ARunThatGoesOnIsNotJudged) {
  UnmovedWeights resumed("", true);
  resumed.resume();
  testing::internal::CaptureStderr();
  resumed.after_round(8, {{.start = {0.5, 0.5}, .end = {0.5, 0.5}, .hypergradients = {0, 0}}}, 30);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "it was judged when it began";
}

TEST(FedMoaWeights, AreComparedWithThoseThatRewardsStartWith) {
  const auto message = [](std::vector<double> start, std::vector<double> end) {
    UnmovedWeights weights("", true);
    testing::internal::CaptureStderr();
    weights.after_round(1, {{.start = {1}, .end = {1}, .hypergradients = {3}}}, 30);
    EXPECT_TRUE(weights.judges()) << "no client could tell";
    weights.after_round(2, {{.start = std::move(start), .end = std::move(end), .hypergradients = {1e-9, 0}}}, 30);
    EXPECT_FALSE(weights.judges());
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(message({0.7, 0.3}, {0.6998, 0.3002}), "");
  EXPECT_THAT(message({0.7, 0.3}, {0.69995, 0.30005}), HasSubstr("round 2: adaptive_weights: hypergradients move no reward's weight by"));
  EXPECT_THAT(message({0.7, 0.3}, {0.3, 0.7}), HasSubstr("no reward's weight by more than 0.0e+00")) << "in any order";
}

constexpr const char* kUnmoved = "warning: round 1: adaptive_weights: ";

TEST(FedMoaWeights, ThatMoveInOppositeDirectionsAreNoWarning) {
  const FixedHypergradientsWorkload problem({{1, -1}, {-1, 1}});
  const WeighedRun run = weighed_run(problem, {{"hypergradient_rate", 0.01}});
  const auto lambda = figure_of(run.reports[0], "client_lambda");
  EXPECT_NEAR(lambda[0], 0.53, 1e-12);
  EXPECT_NEAR(lambda[2], 0.47, 1e-12);
  EXPECT_EQ(std::get<double>(run.reports[0].metrics.values().at("hypergradient_" + problem.objective_names()[0])), 0);
  EXPECT_EQ(run.messages, "");
}

TEST(FedMoaWeights, ThatTheProjectionHoldsStillAreAWarning) {
  const WeighedRun run = weighed_run(FixedHypergradientsWorkload({{1, 1}}), {{"hypergradient_rate", 0.01}});
  EXPECT_THAT(figure_of(run.reports[0], "client_lambda"), ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(0.5, 1e-12)));
  EXPECT_THAT(run.messages, HasSubstr(std::string(kUnmoved) + "no reward's weight moved by more than"));
  EXPECT_THAT(run.messages, HasSubstr("those of a client's rewards are alike"));
}

TEST(FedMoaWeights, OfASingleRewardDoNotCount) {
  const WeighedRun run = weighed_run(FixedHypergradientsWorkload({{0, 0}, {1}}), {{"hypergradient_rate", 0.01}});
  EXPECT_THAT(run.messages, HasSubstr(std::string(kUnmoved) + "the rewards' weights did not move, as all hypergradients are 0"));
}

TEST(FedMoaWeights, HypergradientsWhoseMeanIsZeroAreNotSaidToBeZero) {
  const WeighedRun run = weighed_run(FixedHypergradientsWorkload({{1, -1}, {-1, 1}}), {{"hypergradient_rate", 1e-6}});
  EXPECT_THAT(run.messages, HasSubstr(std::string(kUnmoved) + "hypergradients move no reward's weight by more than 3.0e-06"));
}

TEST(FedMoaWeights, StartWhereTheOptionsSay) {
  const FixedHypergradientsWorkload problem({{0, 0}});
  const std::vector<std::string> names = problem.objective_names();
  for (const WeightValues& start : {WeightValues{{"reward_weights", std::vector<double>{0.8, 0.2}}},
                                    WeightValues{{"named_weights", std::vector<std::string>{names[0] + "=4", names[1] + "=1"}}}}) {
    const WeighedRun run = weighed_run(problem, start);
    EXPECT_THAT(figure_of(run.reports[0], "client_lambda"), ElementsAre(DoubleNear(0.8, 1e-12), DoubleNear(0.2, 1e-12)));
    EXPECT_THAT(run.messages, HasSubstr("as all hypergradients are 0"));
  }
}

TEST(FedMoaWeights, CosinesMoveThemWhateverTheScale) {
  const TokenQuestionsWorkload problem({2});
  const WeighedRun run = weighed_run(problem, {{"hypergradient", std::string("cosine")}, {"hypergradient_rate", 0.01}});
  EXPECT_EQ(run.messages, "");
  const std::vector<std::string> names = problem.objective_names();
  const auto cosine = [&](std::size_t k) { return std::get<double>(run.reports[0].metrics.values().at("hypergradient_" + names[k])); };
  for (std::size_t k = 0; k < 2; ++k) EXPECT_LE(std::abs(cosine(k)), 1);
  const auto lambda = figure_of(run.reports[0], "lambda");
  EXPECT_GT(std::abs(cosine(0) - cosine(1)), 1e-3);
  EXPECT_NEAR(lambda[0] - lambda[1], 3 * 0.01 * (cosine(0) - cosine(1)), 1e-9);
  EXPECT_THAT([&] { weighed_run(problem, {{"hypergradient", std::string("cos")}}); }, testing::ThrowsMessage<Error>(HasSubstr("cos")));
  testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace paretofl
