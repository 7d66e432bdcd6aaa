#include "paretofl/local/oracle_steps.h"

#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/local/objective_training.h"
#include "paretofl/workloads/quadratics.h"

namespace paretofl {
namespace {

const Quadratics& problem() {
  static const Quadratics kProblem({.clients = 4, .objectives = 3, .gradient_noise = 0.3}, 7);
  return kProblem;
}

TEST(OracleSteps, AStepIsAMinibatchOfTheRound) {
  const Parameters theta = problem().initial_parameters();
  const auto steps = problem().objective_steps(2, {});
  std::vector<double> losses(3), expected_losses(3);
  std::vector<float> rows(3 * theta.size()), expected(3 * theta.size());
  EXPECT_THROW(steps->jacobian(0, theta.values(), losses, rows), Error);
  for (const std::uint32_t round : {1U, 2U}) {
    steps->start_round({9, round, 2});
    steps->jacobian(3, theta.values(), losses, rows);
    problem().oracle(2)->jacobian(theta.values(), {Random({9, round, 2}, "train"), 3}, expected_losses, expected);
    EXPECT_EQ(rows, expected);
    EXPECT_EQ(losses, expected_losses);
  }
}

// The same minibatches and the same fixed weights as training on the weighted loss.
TEST(ObjectiveTraining, UnderAFixedLambdaIsTrainingOnTheWeightedLoss) {
  const Parameters theta = problem().initial_parameters();
  const std::vector<double> lambda{0.5, 0.2, 0.3};
  for (const char* optimizer : {"sgd", "adam"}) {
    const LocalTrainingOptions options{.local_steps = 5, .client_lr = 0.05, .optimizer = optimizer};
    OracleSteps steps(problem().oracle(1));
    steps.start_round({9, 1, 1});
    const auto training = train_on_objectives(options, steps, theta.values(), first_jacobian(steps, theta.values()), false,
                                              [&](const auto&, auto) { return lambda; });
    const LocalUpdate expected = train_locally(options, *problem().oracle(1), theta.values(), lambda, Random({9, 1, 1}, "train"));
    EXPECT_EQ(training.local.update, expected.update);
    EXPECT_EQ(training.local.losses, expected.losses);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(training.lambda[k], lambda[k], 1e-12);
  }
}

}  // namespace
}  // namespace paretofl
