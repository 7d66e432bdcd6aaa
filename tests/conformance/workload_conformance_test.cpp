// What every registered workload promises. Those that read files get small files made here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "paretofl/core/error.h"
#include "paretofl/local/oracle_steps.h"
#include "paretofl/workloads/workload.h"
#include "tests/conformance/small_workload.h"

namespace paretofl {
namespace {

using testing::Pointwise;

class WorkloadConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  static void SetUpTestSuite() {
    root = empty_folder("workload_conformance");
    write_small_data(root);
  }
  static void TearDownTestSuite() {
    made().clear();
    std::filesystem::remove_all(root);
  }

  std::unique_ptr<Workload> make(std::uint64_t seed = 1, double validation_fraction = 0) const {
    return workloads().at(GetParam()->name).make(small_settings(*GetParam(), validation_fraction), {seed, root});
  }

  /// That of seed 1, made once for all cases: workloads hold nothing that their use changes.
  const Workload* shared() const {
    std::unique_ptr<Workload>& workload = made()[GetParam()->name];
    if (!workload) workload = make();
    return workload.get();
  }

  static std::map<std::string, std::unique_ptr<Workload>>& made() {
    static std::map<std::string, std::unique_ptr<Workload>> workloads;
    return workloads;
  }
  static inline std::filesystem::path root;
};

/// The largest difference of two rows of numbers; not a number where one of them is none. Matchers would take far longer for each number.
double largest_difference(std::span<const float> one, std::span<const float> other) {
  EXPECT_EQ(one.size(), other.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    const double difference = std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i]));
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

struct Oracle {
  std::unique_ptr<GradientOracle> oracle;
  std::vector<float> theta;
  Draw draw{Random({1, 2, 3}, "test"), 1};

  Oracle(const Workload& workload, int client) : oracle(workload.oracle(client)) {
    const Parameters start = workload.initial_parameters();
    theta.assign(start.values().begin(), start.values().end());
  }
  std::vector<float> jacobian(std::vector<double>& losses) const {
    std::vector<float> rows(oracle->num_objectives() * theta.size());
    losses.resize(oracle->num_objectives());
    oracle->jacobian(theta, draw, losses, rows);
    return rows;
  }
};

TEST_P(WorkloadConformance, DescribesItself) {
  const Workload* workload = shared();
  EXPECT_EQ(workload->num_clients(), 6);
  EXPECT_GE(workload->num_objectives(), 1U);
  const Parameters start = workload->initial_parameters();
  EXPECT_EQ(start.size(), workload->layout()->size());
  EXPECT_TRUE(std::ranges::all_of(start.values(), [](float x) { return std::isfinite(x); }));
}

TEST_P(WorkloadConformance, TheConstantPredictorHasFiguresOfTheEvaluation) {
  const Workload* workload = shared();
  ThreadPool pool(1);
  const auto measured = workload->evaluate(workload->initial_parameters().values(), Split::kTest, pool).per_objective;
  for (const auto& [metric, values] : workload->constant_predictor()) {
    EXPECT_TRUE(measured.contains(metric)) << metric;
    EXPECT_EQ(values.size(), workload->num_objectives()) << metric;
    EXPECT_THAT(values, testing::Each(testing::Gt(0.0))) << metric;
  }
}

TEST_P(WorkloadConformance, TheSeedDecides) {
  const auto initial = [](const Workload& workload) {
    const Parameters start = workload.initial_parameters();
    return std::vector<float>(start.values().begin(), start.values().end());
  };
  const auto one = make(3);
  const auto same = make(3);
  EXPECT_EQ(initial(*one), initial(*same));
  EXPECT_NE(initial(*one), initial(*make(4)));
  if (!one->has_gradients()) return;
  std::vector<double> first;
  std::vector<double> second;
  EXPECT_EQ(Oracle(*one, 2).jacobian(first), Oracle(*same, 2).jacobian(second));
  EXPECT_EQ(first, second);
}

TEST_P(WorkloadConformance, GradientsAgreeWithEachOther) {
  const Workload* workload = shared();
  if (!workload->has_gradients()) return;
  const Oracle oracle(*workload, 1);
  const std::size_t d = oracle.theta.size();
  std::vector<double> losses;
  const std::vector<float> rows = oracle.jacobian(losses);
  std::vector<double> lambda;
  for (std::size_t k = 0; k < losses.size(); ++k) lambda.push_back(1.0 / static_cast<double>(k + 2));
  std::vector<float> expected(d);
  std::vector<float> gradient(d);
  for (std::size_t k = 0; k < losses.size(); ++k) {
    EXPECT_NEAR(oracle.oracle->objective_gradient(oracle.theta, k, oracle.draw, gradient), losses[k], 1e-5);
    EXPECT_LE(largest_difference(gradient, std::span(rows).subspan(k * d, d)), 1e-4);
    for (std::size_t i = 0; i < d; ++i) expected[i] += static_cast<float>(lambda[k]) * rows[k * d + i];
  }
  std::vector<double> weighted_losses(losses.size());
  oracle.oracle->weighted_gradient(oracle.theta, lambda, oracle.draw, weighted_losses, gradient);
  EXPECT_LE(largest_difference(gradient, expected), 1e-4);
  EXPECT_THAT(weighted_losses, Pointwise(testing::DoubleNear(1e-5), losses));
}

TEST_P(WorkloadConformance, ADrawNamesItsMinibatch) {
  const Workload* workload = shared();
  if (!workload->has_gradients()) return;
  const Oracle oracle(*workload, 1);
  std::vector<double> losses;
  const auto gradient_of = [&](const Draw& draw) {
    std::vector<float> gradient(oracle.theta.size());
    oracle.oracle->objective_gradient(oracle.theta, 0, draw, gradient);
    return gradient;
  };
  const Random other({1, 2, 4}, "test");
  EXPECT_EQ(gradient_of(oracle.draw), gradient_of(oracle.draw));
  EXPECT_NE(gradient_of(oracle.draw), gradient_of({oracle.draw.stream, 2}));
  EXPECT_NE(gradient_of(oracle.draw), gradient_of({other, 1}));
}

TEST_P(WorkloadConformance, ALearnerGoesOnFromItsSavedStateBitForBit) {
  const Workload* workload = shared();
  const LocalTrainingOptions options{
      .local_steps = workload->has_objective_steps() || workload->has_reward_steps() ? 2 : 80, .client_lr = 1e-3, .optimizer = "adam"};
  const Parameters start = workload->initial_parameters();
  const auto trained = [&](bool saved_between) {
    std::vector<float> theta(start.values().begin(), start.values().end());
    auto learner = workload->learner(1, options);
    EXPECT_EQ(learner->layout()->size(), theta.size());
    learner->train(theta, {1, 1, 1});
    if (saved_between) {
      Record state;
      learner->save(state);
      learner = workload->learner(1, options);
      learner->load(state);
    }
    const LearnerReport report = learner->train(theta, {1, 2, 1});
    EXPECT_GT(report.num_samples, 0);
    return theta;
  };
  const std::vector<float> expected = trained(false);
  EXPECT_EQ(trained(true), expected);
  EXPECT_FALSE(std::equal(expected.begin(), expected.end(), start.values().begin()));
}

TEST_P(WorkloadConformance, ObjectiveStepsGoOnFromTheirSavedStateBitForBit) {
  const Workload* workload = shared();
  if (!workload->has_objective_steps()) return;
  const auto plain = workload->objective_steps(1, {});
  if (dynamic_cast<const OracleSteps*>(plain.get()) != nullptr) return;  // no state; the oracle has tests of its own
  const std::size_t objectives = workload->num_objectives();
  const Parameters theta = workload->initial_parameters();
  const auto second_round = [&](bool saved_between) {
    auto steps = workload->objective_steps(1, {.local_steps = 2});
    EXPECT_EQ(steps->num_objectives(), objectives);
    EXPECT_GT(steps->num_samples(), 0);
    std::vector<double> losses(objectives);
    std::vector<std::vector<float>> gradients;
    for (const std::uint32_t round : {1U, 2U}) {
      if (round == 2 && saved_between) {
        Record state;
        steps->save(state);
        steps = workload->objective_steps(1, {.local_steps = 2});
        steps->load(state);
      }
      steps->start_round({1, round, 1});
      for (const std::int64_t step : {0, 1}) {
        steps->jacobian(step, theta.values(), losses, gradients.emplace_back(objectives * theta.size()));
        EXPECT_THAT(gradients.back(), testing::Each(testing::Truly([](float x) { return std::isfinite(x); })));
      }
    }
    return gradients;
  };
  const auto expected = second_round(false);
  EXPECT_EQ(second_round(true), expected);
  EXPECT_NE(expected[0], expected[1]);
  EXPECT_NE(expected[0], expected[2]);
}

TEST_P(WorkloadConformance, RewardStepsNameTheClientsRewards) {
  const Workload* workload = shared();
  if (!workload->has_reward_steps()) {
    EXPECT_THROW(workload->reward_steps(0), Error);
    return;
  }
  const Parameters theta = workload->initial_parameters();
  const auto gradients = [&](int client) {
    const auto steps = workload->reward_steps(client);
    const std::size_t rewards = steps->reward_names().size();
    for (const std::string& name : steps->reward_names()) EXPECT_THAT(workload->objective_names(), testing::Contains(name));
    EXPECT_GT(steps->num_samples(), 0);
    EXPECT_EQ(steps->layout(), workload->layout());
    steps->start_round({1, 1, 1});
    std::vector<float> gradient(theta.size());
    std::vector<double> hidden(rewards * steps->hidden_size());
    for (const std::int64_t step : {0, 1}) {
      steps->step(step, theta.values(), std::vector<double>(rewards, 1 / static_cast<double>(rewards)), gradient, hidden);
    }
    EXPECT_EQ(steps->figures().at("reward").size(), rewards);
    if (steps->has_evaluation()) {
      EXPECT_EQ(steps->evaluate(theta.values()).size(), rewards);
    } else {
      EXPECT_THROW(steps->evaluate(theta.values()), Error);
    }
    return gradient;
  };
  EXPECT_EQ(gradients(0), gradients(0));
  if (answers_questions(*GetParam())) {
    EXPECT_NE(gradients(0), gradients(5)) << "clients have questions of their own";
  }
  EXPECT_THROW(workload->reward_steps(6), Error);
  EXPECT_THROW(workload->reward_steps(-1), Error);
}

TEST_P(WorkloadConformance, EvaluatesEveryClientsOwnModelOnAnyThreads) {
  const Workload* workload = shared();
  ClientModels models(workload->initial_parameters(), workload->num_clients());
  for (float& x : models.of(2)) x *= -1;
  ThreadPool one(1);
  ThreadPool three(3);
  const auto figures = [&](ThreadPool& pool) {
    std::vector<std::map<std::string, double>> overall;
    for (const Evaluation& client : workload->evaluate_clients(models, Split::kTest, pool)) {
      for (const auto& [metric, values] : client.per_objective) EXPECT_EQ(values.size(), workload->num_objectives()) << metric;
      overall.push_back(client.overall);
    }
    return overall;
  };
  const auto expected = figures(one);
  EXPECT_EQ(expected.size(), 6U);
  EXPECT_TRUE(expected[0].contains("scalarized_loss") || expected[0].contains("scalarized_return") ||
              expected[0].contains("scalarized_reward"));
  EXPECT_EQ(figures(three), expected);
}

TEST_P(WorkloadConformance, EvaluationDoesNotDependOnThreads) {
  const Workload* workload = shared();
  const Parameters start = workload->initial_parameters();
  ThreadPool one(1);
  ThreadPool three(3);
  const Evaluation a = workload->evaluate(start.values(), Split::kTest, one);
  const Evaluation b = workload->evaluate(start.values(), Split::kTest, three);
  EXPECT_EQ(a.per_objective, b.per_objective);
  EXPECT_EQ(a.overall, b.overall);
  for (const auto& [metric, values] : a.per_objective) EXPECT_EQ(values.size(), workload->num_objectives()) << metric;
}

TEST_P(WorkloadConformance, RejectsParametersOfAnotherSizeAndUnknownClients) {
  const Workload* workload = shared();
  ThreadPool pool(1);
  EXPECT_THROW(workload->evaluate(std::vector<float>(3), Split::kTest, pool), Error);
  EXPECT_THROW(workload->oracle(6), Error);
  EXPECT_THROW(workload->oracle(-1), Error);
  EXPECT_THROW(workload->learner(6, {.optimizer = "adam"}), Error);
  EXPECT_THROW(workload->objective_steps(6, {}), Error);
}

TEST_P(WorkloadConformance, RejectsUnknownOptions) {
  const Settings settings{.values = {{"no_such_option", true}}, .tables = {}};
  EXPECT_THAT(
      [&] {
        workloads().at(GetParam()->name).make(settings, {1, root});
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("workload.no_such_option")));
}

TEST_P(WorkloadConformance, AValidationSplitIsHeldOutWhereThereIsOne) {
  const auto workload = make(1, 0.25);
  if (!workload->has_split(Split::kValidation)) return;
  ThreadPool pool(1);
  const Parameters start = workload->initial_parameters();
  EXPECT_NE(workload->evaluate(start.values(), Split::kValidation, pool).per_objective,
            workload->evaluate(start.values(), Split::kTest, pool).per_objective);
  if (answers_questions(*GetParam())) return;  // it always is
  EXPECT_FALSE(shared()->has_split(Split::kValidation));
}

INSTANTIATE_TEST_SUITE_P(All, WorkloadConformance, testing::ValuesIn(workloads().entries()),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace paretofl
