// GRPO with completions that are drawn with weights rounded to 8 bits, and so by another model than the policy.
#include <gmock/gmock.h>

#include "paretofl/alignment/grpo_steps.h"
#include "paretofl/core/error.h"
#include "tests/alignment/question_task_stub.h"
#include "tests/alignment/rounded_bigram_lm.h"

namespace paretofl {
namespace {

constexpr std::size_t kTokensOfRounded = 5;

/// The gradient of the first step, or of the second one at another theta.
std::vector<float> gradient_with(const std::shared_ptr<const BigramLm>& model, GrpoOptions options, const std::string& weights,
                                 std::int64_t count = 1) {
  options.prompts = 2;
  options.completions = 4;
  options.microbatch = 3;
  options.max_new_tokens = 5;
  options.generation_weights = weights;
  GrpoSteps steps(model, std::make_shared<TokenQuestions>(2), options, {});
  steps.start_round({1, 1, 0});
  Random random({3, 0, 0}, "theta");
  std::vector<float> theta(kTokensOfRounded * kTokensOfRounded);
  for (float& value : theta) value = static_cast<float>(random.below(64)) / 64;
  std::vector<float> gradient(theta.size());
  steps.step(0, theta, std::vector{0.5, 0.5}, gradient, {});
  EXPECT_LT(steps.figures().at("log_ratio")[0], 1e-6) << "ratios compare with the policy, not with the sampler";
  for (std::int64_t step = 1; step < count; ++step) {
    for (float& value : theta) value += static_cast<float>(random.below(64)) / 640;
    steps.step(step, theta, std::vector{0.5, 0.5}, gradient, {});
    EXPECT_GT(steps.figures().at("log_ratio")[0], 1e-3) << "theta has moved";
  }
  return gradient;
}

TEST(GrpoInt8Generation, TakesLogprobsOfThePolicyAndOfTheReferenceFromForwardPasses) {
  for (const std::string old_logprobs : {"sampler", "training"}) {
    for (const std::int64_t parts : {1, 2}) {
      for (const bool follows : {false, true}) {
        GrpoOptions options;
        options.old_logprobs = old_logprobs;
        options.steps_per_generation = parts;
        options.kl_coefficient = 0.1;
        options.sync_ref_model = follows;
        options.temperature = 0.8;
        const auto model = std::make_shared<RoundedBigramLm>(kTokensOfRounded);
        const std::vector<float> exact = gradient_with(model, options, "float32");
        EXPECT_EQ(model->rounded_draws, 0);
        EXPECT_THAT(gradient_with(model, options, "int8"), testing::Pointwise(testing::FloatNear(1e-6F), exact))
            << old_logprobs << " " << parts << " " << follows;
        EXPECT_EQ(model->rounded_draws, 1);
      }
    }
  }
}

TEST(GrpoInt8Generation, NeedsNoForwardPassWhereTheFirstTrainingPassHasTheLogprobs) {
  for (const bool drops_out : {false, true}) {
    for (const std::int64_t parts : {1, 2}) {
      GrpoOptions options;
      options.steps_per_generation = parts;
      const auto model = std::make_shared<RoundedBigramLm>(kTokensOfRounded);
      model->says_it_drops_out = drops_out;
      const std::vector<float> exact = gradient_with(model, options, "float32");
      EXPECT_EQ(model->forward_passes, 0);
      EXPECT_THAT(gradient_with(model, options, "int8"), testing::Pointwise(testing::FloatNear(1e-6F), exact)) << drops_out << " " << parts;
      EXPECT_EQ(model->forward_passes, !drops_out && parts == 1 ? 0 : 1) << drops_out << " " << parts;
    }
  }
}

TEST(GrpoInt8Generation, TheSecondStepOnABatchComparesWithTheFirst) {
  GrpoOptions options;
  options.iterations = 2;
  std::vector<std::vector<float>> gradients;
  for (const bool drops_out : {false, true}) {
    const auto model = std::make_shared<RoundedBigramLm>(kTokensOfRounded);
    model->says_it_drops_out = drops_out;
    gradients.push_back(gradient_with(model, options, "int8", 2));
  }
  EXPECT_THAT(gradients[0], testing::Pointwise(testing::FloatNear(1e-6F), gradients[1]));
}

TEST(GrpoInt8Generation, RefusesModelsThatCannot) {
  EXPECT_THAT([] { gradient_with(std::make_shared<BigramLm>(kTokensOfRounded), {}, "int8"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("grpo.generation_weights: expected float32 unless the model has float32")));
}

}  // namespace
}  // namespace paretofl
