// PPO with completions that are drawn with weights rounded to 8 bits, and so by another model than the policy.
#include <gmock/gmock.h>

#include "paretofl/alignment/ppo_steps.h"
#include "paretofl/core/error.h"
#include "tests/alignment/question_task_stub.h"
#include "tests/alignment/rounded_bigram_lm.h"

namespace paretofl {
namespace {

constexpr std::size_t kTokensOfPpo = 5;

struct PpoRound {
  std::vector<double> losses;    // [steps, M]
  std::vector<float> jacobians;  // [steps, M, d]
  std::map<std::string, std::vector<double>> figures;
};

/// Two batches of a round in which theta moves from step to step.
PpoRound round_with(const std::shared_ptr<const BigramLm>& model, const std::string& weights) {
  PpoOptions options;
  options.batch_size = 8;
  options.minibatch_size = 4;
  options.epochs = 2;
  options.max_new_tokens = 6;
  options.temperature = 0.8;
  options.critic_lr = 0.1;
  options.generation_weights = weights;
  PpoSteps steps(model, std::make_shared<TokenQuestions>(2), options, {4});
  steps.start_round({1, 1, 0});
  Random random({3, 0, 0}, "theta");
  std::vector<float> theta(kTokensOfPpo * kTokensOfPpo);
  for (float& value : theta) value = static_cast<float>(random.below(64)) / 64;
  PpoRound round;
  for (std::int64_t step = 0; step < 2 * options.steps_per_batch(); ++step) {
    std::vector<double> losses(2);
    std::vector<float> jacobian(2 * theta.size());
    steps.jacobian(step, theta, losses, jacobian);
    round.losses.insert(round.losses.end(), losses.begin(), losses.end());
    round.jacobians.insert(round.jacobians.end(), jacobian.begin(), jacobian.end());
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= 0.1F * jacobian[i];
  }
  round.figures = steps.figures();
  return round;
}

TEST(PpoInt8Generation, TakesLogprobsAndValuesFromForwardPassesOfThePolicy) {
  const auto model = std::make_shared<RoundedBigramLm>(kTokensOfPpo);
  const PpoRound exact = round_with(model, "float32");
  EXPECT_EQ(model->rounded_draws, 0);
  const PpoRound rounded = round_with(model, "int8");
  EXPECT_EQ(model->rounded_draws, 2) << "one for each batch";
  EXPECT_THAT(rounded.losses, testing::Pointwise(testing::DoubleNear(1e-6), exact.losses));
  EXPECT_THAT(rounded.jacobians, testing::Pointwise(testing::FloatNear(1e-6F), exact.jacobians));
  ASSERT_EQ(rounded.figures.size(), exact.figures.size());
  for (const auto& [name, values] : exact.figures) {
    EXPECT_THAT(rounded.figures.at(name), testing::Pointwise(testing::DoubleNear(1e-6), values)) << name;
  }
}

TEST(PpoInt8Generation, RefusesModelsThatCannot) {
  EXPECT_THAT([] { round_with(std::make_shared<BigramLm>(kTokensOfPpo), "int8"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("ppo.generation_weights: expected float32 unless the model has float32")));
}

}  // namespace
}  // namespace paretofl
