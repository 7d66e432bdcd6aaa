#include <gmock/gmock.h>

#include <cmath>

#include "paretofl/aggregators/task_clusters.h"
#include "paretofl/core/error.h"
#include "paretofl/local/adam.h"
#include "tests/simulation.h"
#include "tests/strategies/token_questions_workload.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using testing::ThrowsMessage;
using FedmoaValues = decltype(Settings::values);

const FedmoaValues kShort = {{"local_steps", std::int64_t{3}}, {"client_lr", 0.05}};

Strategy make(const std::string& name, const Workload& workload, FedmoaValues values = {}) {
  Settings settings;
  settings.values = std::move(values);
  settings.values.insert(kShort.begin(), kShort.end());
  settings.values.emplace("cohort_size", std::int64_t{workload.num_clients()});
  return strategies().at(name).make(settings, workload);
}

std::vector<double> fedmoa_figure(const RoundReport& report, const std::string& name) {
  return std::get<std::vector<double>>(report.metrics.values().at(name));
}

TEST(FedMoa, WithBothPartsOffIsFedGrpoToTheBit) {
  const TokenQuestionsWorkload problem({2, 2, 3});
  const FedmoaValues off = {{"adaptive_weights", false}, {"accuracy_aggregation", false}};
  EXPECT_EQ(Simulation(make("fedmoa", problem, off), problem).run(1, 4), Simulation(make("fedgrpo", problem), problem).run(1, 4));
  EXPECT_NE(Simulation(make("fedmoa", problem), problem).run(1, 4), Simulation(make("fedgrpo", problem), problem).run(1, 4));
}

TEST(FedMoa, WeightsThatDoNotAdaptStayAsTheyStart) {
  const TokenQuestionsWorkload problem({2, 2, 3});
  Simulation simulation(make("fedmoa", problem, {{"adaptive_weights", false}}), problem);
  simulation.run(1, 3);
  const auto weights = fedmoa_figure(simulation.reports[2], "client_lambda");
  const double third = 1.0 / 3;
  EXPECT_THAT(weights, Pointwise(DoubleNear(1e-12), std::vector{0.5, 0.5, 0.0, 0.5, 0.5, 0.0, third, third, third}));
}

// GRPO as such: draw, advantages, loss, Adam.
TEST(FedMoa, OfOneClientWithOneRewardIsGrpo) {
  const TokenQuestionsWorkload problem({1});
  const auto steps = problem.reward_steps(0);
  std::vector<float> theta(problem.layout()->size());
  std::vector<float> gradient(theta.size());
  for (std::uint32_t round = 1; round <= 3; ++round) {
    Adam adam(theta.size(), 0.05);
    steps->start_round({1, round, 0});
    for (std::int64_t step = 0; step < 3; ++step) {
      steps->step(step, theta, std::vector{1.0}, gradient, {});
      adam.step(gradient, theta);
    }
  }
  EXPECT_THAT(Simulation(make("fedmoa", problem), problem).run(1, 3), Pointwise(testing::FloatNear(1e-6F), theta));
}

TEST(FedMoa, WeightsOfAClusterAreAggregatedAndStartTheNextRound) {
  const TokenQuestionsWorkload problem({2, 2, 2});
  Simulation simulation(make("fedmoa", problem, {{"hypergradient_rate", 20.0}}), problem);
  simulation.run(1, 1);
  const auto after_one = fedmoa_figure(simulation.reports[0], "client_lambda");
  EXPECT_THAT(after_one, testing::Contains(testing::Not(DoubleNear(0.5, 1e-3))));
  const auto alpha = accuracy_shares(std::vector{after_one[0], after_one[2], after_one[4]}, 1e-6);
  EXPECT_THAT(fedmoa_figure(simulation.reports[0], "client_share"), Pointwise(DoubleNear(1e-12), alpha));
  double accuracy = 0;
  for (std::size_t m = 0; m < 3; ++m) accuracy += alpha[m] * after_one[2 * m];
  // The next round starts at the cluster's weights: with one local step nothing moves them.
  Simulation frozen(make("fedmoa", problem, {{"hypergradient_rate", 20.0}, {"local_steps", std::int64_t{1}}}), problem);
  frozen.server.load(simulation.server.save());
  frozen.run(2, 2);
  const auto next = fedmoa_figure(frozen.reports[0], "client_lambda");
  for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(next[2 * m], accuracy, 1e-12);
}

TEST(FedMoa, ClientsKeepTheirOwnWeightsWhenSaved) {
  const TokenQuestionsWorkload problem({2, 2});
  const auto begin = [&] {
    return Simulation(make("fedmoa", problem, {{"hypergradient_rate", 20.0}, {"accuracy_aggregation", false}}), problem);
  };
  Simulation whole = begin();
  const std::vector<float> expected = whole.run(1, 3);
  Simulation part = begin();
  part.run(1, 2);
  Simulation rest = begin();
  rest.server.load(part.server.save());
  EXPECT_EQ(rest.run(3, 3), expected);
  const auto weights = fedmoa_figure(rest.reports[0], "client_lambda");
  EXPECT_EQ(weights, fedmoa_figure(whole.reports[2], "client_lambda"));
  EXPECT_NE(weights[0], weights[2]);
}

// The clients have accuracy alone in common.
TEST(FedMoa, KeptWeightsSayWhetherTheBroadcastMovesTheSharedOne) {
  const TokenQuestionsWorkload problem({1, 2});
  const auto second_round = [&](const char* kept) {
    const FedmoaValues values{{"hypergradient_rate", 20.0}, {"kept_weights", std::string(kept)}};
    Simulation simulation(make("fedmoa", problem, values), problem);
    simulation.run(1, 1);
    const std::vector<double> after_one = fedmoa_figure(simulation.reports[0], "client_lambda");  // [2, 2]
    FedmoaValues one_step = values;
    one_step.emplace("local_steps", std::int64_t{1});  // moves no weight
    Simulation frozen(make("fedmoa", problem, one_step), problem);
    frozen.server.load(simulation.server.save());
    frozen.run(2, 2);
    const std::vector<double> alpha = accuracy_shares(std::vector{after_one[0], after_one[2]}, 1e-6);
    const double shared = alpha[0] * after_one[0] + alpha[1] * after_one[2];
    return std::tuple(after_one, fedmoa_figure(frozen.reports[0], "client_lambda"), shared);
  };
  const auto [before, own, unused] = second_round("own");
  EXPECT_THAT(own, Pointwise(DoubleNear(1e-12), before)) << "the broadcast does nothing";
  const auto [same, shared, mean] = second_round("shared");
  EXPECT_EQ(same, before);
  ASSERT_GT(std::abs(mean - before[2]), 1e-3);
  EXPECT_THAT(shared, ElementsAre(1, 0, DoubleNear(mean, 1e-12), DoubleNear(1 - mean, 1e-12)));
}

TEST(FedMoa, TheAccuracysWeightIsTheSameForAllAndTheOthersShareTheRest) {
  const TokenQuestionsWorkload problem({1, 2, 3});
  Simulation simulation(make("fedmoa", problem, {{"adaptive_weights", false}, {"accuracy_weight", 0.7}}), problem);
  simulation.run(1, 1);
  EXPECT_THAT(fedmoa_figure(simulation.reports[0], "client_lambda"),
              Pointwise(DoubleNear(1e-12), std::vector{1.0, 0.0, 0.0, 0.7, 0.3, 0.0, 0.7, 0.15, 0.15}));
  const std::vector<std::string> names = problem.objective_names();
  EXPECT_THAT(
      [&] {
        make("fedmoa", problem, {{"accuracy_weight", 0.7}, {"named_weights", std::vector<std::string>{names[0] + "=1"}}});
      },
      ThrowsMessage<Error>(HasSubstr("strategy.accuracy_weight: expected 0 beside reward_weights or named_weights, found 0.7")));
}

TEST(FedMoa, WeightsByNameStartEachClientsRewards) {
  const TokenQuestionsWorkload problem({1, 2, 3});
  const std::vector<std::string> names = problem.objective_names();
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < 3; ++k) texts.push_back(names[k] + "=" + std::to_string(4 >> k));  // 4, 2, 1
  Simulation simulation(make("fedmoa", problem, {{"adaptive_weights", false}, {"named_weights", texts}}), problem);
  simulation.run(1, 1);
  EXPECT_THAT(fedmoa_figure(simulation.reports[0], "client_lambda"),
              Pointwise(DoubleNear(1e-12), std::vector{1.0, 0.0, 0.0, 2.0 / 3, 1.0 / 3, 0.0, 4.0 / 7, 2.0 / 7, 1.0 / 7}));
  const auto error_with = [&](std::vector<std::string> weights, FedmoaValues values = {}) {
    values.emplace("named_weights", std::move(weights));
    try {
      make("fedmoa", problem, std::move(values));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error_with({names[0] + "=-1"}),
            "strategy.named_weights: expected NAME=WEIGHT with a number of at least 0, found '" + names[0] + "=-1'");
  EXPECT_THAT(error_with({names[0]}), HasSubstr("expected NAME=WEIGHT"));
  EXPECT_THAT(error_with({"style=1"}), HasSubstr("expected one of the rewards " + names[0] + ", " + names[1]));
  EXPECT_THAT(error_with({names[0] + "=1", names[0] + "=2"}), HasSubstr("expected each reward once, found '" + names[0] + "' twice"));
  EXPECT_THAT(error_with({names[0] + "=1"}), HasSubstr("expected a weight of '" + names[1] + "', a reward of client 1, found none"));
  EXPECT_THAT(error_with({names[0] + "=0", names[1] + "=1", names[2] + "=1"}),
              HasSubstr("expected a positive weight for a reward of client 0, found zeros alone"));
  EXPECT_THAT(error_with({names[0] + "=1e308", names[1] + "=1e308", names[2] + "=1e308"}),
              HasSubstr("expected weights whose sum is a finite number, found a larger one for client"));
  EXPECT_THAT(error_with(texts, {{"reward_weights", std::vector<double>{0.5, 0.5}}}),
              HasSubstr("expected none beside reward_weights, found 3"));
}

TEST(FedMoa, HypergradientsOfARoundAreRecorded) {
  const TokenQuestionsWorkload problem({2});
  Simulation simulation(make("fedmoa", problem, {{"hypergradient_rate", 5.0}, {"local_steps", std::int64_t{4}}}), problem);
  simulation.run(1, 1);
  const std::vector<std::string> names = problem.objective_names();
  const auto hypergradient = [&](std::size_t k) {
    return std::get<double>(simulation.reports[0].metrics.values().at("hypergradient_" + names[k]));
  };
  const auto lambda = fedmoa_figure(simulation.reports[0], "lambda");
  EXPECT_GT(std::abs(hypergradient(0) - hypergradient(1)), 1e-4);
  EXPECT_NEAR(lambda[0] - lambda[1], 3 * 5 * (hypergradient(0) - hypergradient(1)), 1e-9) << "four steps have three products";
}

TEST(FedMoa, ClustersAreByAccuracyOrByAllRewards) {
  const TokenQuestionsWorkload problem({2, 3});
  for (const std::string kind : {"accuracy", "rewards", "task"}) {
    Simulation simulation(make("fedmoa", problem, {{"hypergradient_rate", 20.0}, {"clusters", kind}}), problem);
    simulation.run(1, 1);
    const auto lambda = fedmoa_figure(simulation.reports[0], "client_lambda");
    ASSERT_EQ(lambda.size(), 6U);
    EXPECT_EQ(lambda[2], 0) << "a reward that the client does not have";
    const auto shares = fedmoa_figure(simulation.reports[0], "client_share");
    if (kind == "rewards") {
      EXPECT_THAT(shares, ElementsAre(0.5, 0.5));
    } else {
      EXPECT_THAT(shares, Pointwise(DoubleNear(1e-12), accuracy_shares(std::vector{lambda[0], lambda[3]}, 1e-6)));
    }
  }
}

TEST(FedMoa, TheRateFallsAlongHalfACosine) {
  const TokenQuestionsWorkload problem({1});
  // Adam's first step of a round moves every parameter with a gradient by the rate.
  Simulation simulation(make("fedgrpo", problem, {{"cosine_rounds", std::int64_t{4}}, {"local_steps", std::int64_t{1}}}), problem);
  std::vector<float> before(problem.layout()->size());
  for (std::uint32_t round = 1; round <= 5; ++round) {
    const std::vector<float> after = simulation.run(round, round);
    double largest = 0;
    for (std::size_t i = 0; i < after.size(); ++i) largest = std::max(largest, std::abs(double{after[i]} - before[i]));
    EXPECT_NEAR(largest, round == 5 ? 0 : 0.05 * (1 + std::cos((round - 1) * M_PI / 4)) / 2, 1e-5) << round;
    before = after;
  }
}

TEST(FedMoa, TheRateWarmsUpOverTheRounds) {
  const TokenQuestionsWorkload problem({1});
  Simulation simulation(make("fedgrpo", problem, {{"warmup_steps", std::int64_t{2}}, {"local_steps", std::int64_t{1}}}), problem);
  std::vector<float> before(problem.layout()->size());
  for (std::uint32_t round = 1; round <= 4; ++round) {
    const std::vector<float> after = simulation.run(round, round);
    double largest = 0;
    for (std::size_t i = 0; i < after.size(); ++i) largest = std::max(largest, std::abs(double{after[i]} - before[i]));
    EXPECT_NEAR(largest, 0.05 * std::min(round - 1, 2U) / 2, 1e-5) << round;
    before = after;
  }
}

TEST(FedMoa, LocalModelsAreEvaluatedWhenAsked) {
  const TokenQuestionsWorkload problem({2, 2});
  Simulation simulation(make("fedmoa", problem, {{"local_evaluation_every", std::int64_t{2}}}), problem);
  simulation.run(1, 2);
  EXPECT_FALSE(simulation.reports[0].metrics.values().contains("local_accuracy"));
  const auto accuracy = fedmoa_figure(simulation.reports[1], "local_accuracy");
  const auto reward = fedmoa_figure(simulation.reports[1], "local_reward");
  ASSERT_EQ(accuracy.size(), 2U);
  for (std::size_t m = 0; m < 2; ++m) EXPECT_GE(reward[m], accuracy[m] / 2 - 1e-12);
  EXPECT_THAT(accuracy, Each(testing::AllOf(testing::Ge(0), testing::Le(1))));
}

TEST(FedMoa, TheOnlyClientsOwnModelIsTheGlobalOne) {
  const TokenQuestionsWorkload problem({2});
  Simulation simulation(make("fedmoa", problem, {{"local_evaluation_every", std::int64_t{1}}}), problem);
  const std::vector<float> theta = simulation.run(1, 1);
  const std::vector<double> expected = problem.reward_steps(0)->evaluate(theta);
  EXPECT_NE(expected, problem.reward_steps(0)->evaluate(std::vector<float>(theta.size())));
  EXPECT_THAT(fedmoa_figure(simulation.reports[0], "local_accuracy"), ElementsAre(DoubleNear(expected[0], 1e-12)));
  EXPECT_THAT(fedmoa_figure(simulation.reports[0], "local_reward"), ElementsAre(DoubleNear((expected[0] + expected[1]) / 2, 1e-12)));
}

TEST(FedMoa, TheLossIsMinusTheRewards) {
  const TokenQuestionsWorkload problem({2, 2});
  Simulation simulation(make("fedgrpo", problem), problem);
  simulation.run(1, 1);
  const auto& values = simulation.reports[0].metrics.values();
  const auto loss = fedmoa_figure(simulation.reports[0], "train_loss");
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_GT(-loss[k], 0);
    EXPECT_EQ(-loss[k], std::get<double>(values.at("reward_" + problem.objective_names()[k])));
  }
}

TEST(FedMoa, FiguresOfEachRewardAreRecordedUnderItsName) {
  const TokenQuestionsWorkload problem({2, 1});
  Simulation simulation(make("fedmoa", problem), problem);
  simulation.run(1, 1);
  const auto& values = simulation.reports[0].metrics.values();
  for (const char* figure : {"reward", "reward_deviation", "flat_groups"}) {
    for (const std::string& name : problem.objective_names()) EXPECT_TRUE(values.contains(figure + ("_" + name))) << figure << ' ' << name;
    EXPECT_FALSE(values.contains(figure)) << "also of a client with one reward";
  }
  for (const char* figure : {"entropy", "log_ratio", "truncated", "clipped_low", "clipped_high", "shortest_response", "longest_response"}) {
    EXPECT_TRUE(values.contains(figure)) << figure;
  }
}

TEST(FedMoa, LearnsAllRewardsTogether) {
  const TokenQuestionsWorkload problem({1, 1});
  Simulation simulation(make("fedmoa", problem), problem);
  const std::vector<float> theta = simulation.run(1, 25);
  EXPECT_GT(problem.reward_steps(0)->evaluate(theta)[0], 0.8);
  EXPECT_LT(problem.reward_steps(0)->evaluate(std::vector<float>(theta.size()))[0], 0.4);
}

TEST(FedMoa, BadOptionsAreNamedBeforeTheFirstRound) {
  const TokenQuestionsWorkload problem({2, 3});
  const auto with = [&](FedmoaValues values) { return [&problem, values] { make("fedmoa", problem, values); }; };
  EXPECT_THAT(with({{"cosine_rounds", std::int64_t{2}}, {"warmup_steps", std::int64_t{6}}}),
              ThrowsMessage<Error>(HasSubstr("strategy.warmup_steps: expected less than the 6 local steps of cosine_rounds, found 6")));
  EXPECT_THAT(with({{"reward_weights", std::vector<double>{0.5, 0.6}}}), ThrowsMessage<Error>(HasSubstr("expected numbers that sum to 1")));
  EXPECT_THAT(with({{"reward_weights", std::vector<double>{0.5, 0.5}}}),
              ThrowsMessage<Error>(HasSubstr("expected 3 numbers for the rewards of client 1, found 2")));
  EXPECT_THAT(with({{"clusters", std::string("names")}}), ThrowsMessage<Error>(HasSubstr("names")));
  EXPECT_THAT(with({{"cohort_size", std::int64_t{3}}}), ThrowsMessage<Error>(HasSubstr("expected 1 to 2 clients, found 3")));
  const TokenQuestionsWorkload in_twos({2, 3}, 2);
  EXPECT_THAT(
      [&] {
        make("fedmoa", in_twos, {{"local_steps", std::int64_t{3}}});
      },
      ThrowsMessage<Error>(HasSubstr("strategy.local_steps: expected a multiple of the 2 steps of")));
}

}  // namespace
}  // namespace paretofl
