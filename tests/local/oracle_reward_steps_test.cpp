#include "paretofl/local/oracle_reward_steps.h"

#include <gmock/gmock.h>

#include "paretofl/local/partial_oracle.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {
namespace {

TEST(OracleRewardSteps, AreMinusTheLossesWithTheirGradientsAsThoseOfAHiddenLayer) {
  const auto workload = workloads().at("quadratics").make({}, {.seed = 1, .data_root = {}});
  const std::size_t size = workload->layout()->size();
  const std::size_t kinds = workload->objective_names().size();
  ASSERT_GT(kinds, 1U);
  const std::vector<float> theta(size, 0.5F);
  std::vector<double> weights(kinds, 0.5 / static_cast<double>(kinds - 1));
  weights[0] = 0.5;
  const StreamId stream{1, 3, 0};

  OracleRewardSteps steps(workload->oracle(0), workload->objective_names(), workload->held_objectives(0));
  std::vector<double> sums(kinds);
  for (const bool with_rows : {true, false}) {
    steps.start_round(stream);
    sums.assign(kinds, 0);
    for (std::int64_t step = 0; step < 2; ++step) {
      std::vector<double> losses(kinds);
      std::vector<float> rows(kinds * size);
      workload->oracle(0)->jacobian(theta, {Random(stream, "train"), step}, losses, rows);
      std::vector<float> gradient(size);
      std::vector<double> hidden(with_rows ? rows.size() : 0);
      const double loss = steps.step(step, theta, weights, gradient, hidden);
      double expected = 0;
      for (std::size_t k = 0; k < kinds; ++k) {
        expected += weights[k] * losses[k];
        sums[k] += losses[k];
      }
      EXPECT_NEAR(loss, expected, 1e-9 * std::abs(expected));
      for (std::size_t i = 0; i < size; ++i) {
        double slope = 0;
        for (std::size_t k = 0; k < kinds; ++k) slope += weights[k] * rows[k * size + i];
        EXPECT_NEAR(gradient[i], slope, 1e-5 * (1 + std::abs(slope)));
      }
      if (with_rows) {
        EXPECT_THAT(hidden, testing::Pointwise(testing::DoubleEq(), std::vector<double>(rows.begin(), rows.end())));
      }
    }
    for (std::size_t k = 0; k < kinds; ++k) EXPECT_NEAR(steps.figures().at("reward")[k], -sums[k] / 2, 1e-9 * std::abs(sums[k]));
  }
  EXPECT_EQ(steps.hidden_size(), size);
}

TEST(OracleRewardSteps, OfSomeObjectivesAreThoseOfTheClientAlone) {
  const auto workload = workloads().at("quadratics").make({{{"objectives", std::int64_t{3}}}, {}}, {.seed = 1, .data_root = {}});
  const std::size_t size = workload->layout()->size();
  const std::vector<float> theta(size, 0.5F);
  OracleRewardSteps some(std::make_unique<PartialOracle>(workload->oracle(0), std::vector<double>{1, 0, 1}), workload->objective_names(),
                         {0, 2});
  OracleRewardSteps all(workload->oracle(0), workload->objective_names(), {0, 1, 2});
  EXPECT_EQ(some.reward_names(), (std::vector<std::string>{"objective0", "objective2"}));
  std::vector<float> gradient(size), expected(size);
  std::vector<double> hidden(2 * size), expected_hidden(3 * size);
  some.start_round({1, 3, 0});
  all.start_round({1, 3, 0});
  const double loss = some.step(0, theta, std::vector<double>{0.25, 0.75}, gradient, hidden);
  EXPECT_NEAR(loss, all.step(0, theta, std::vector<double>{0.25, 0, 0.75}, expected, expected_hidden), 1e-12);
  EXPECT_EQ(gradient, expected);
  expected_hidden.erase(expected_hidden.begin() + static_cast<std::ptrdiff_t>(size),
                        expected_hidden.begin() + static_cast<std::ptrdiff_t>(2 * size));
  EXPECT_EQ(hidden, expected_hidden);
  EXPECT_EQ(some.figures().at("reward").size(), 2U);
  EXPECT_EQ(some.figures().at("reward")[1], all.figures().at("reward")[2]);
}

}  // namespace
}  // namespace paretofl
