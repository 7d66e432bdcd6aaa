// Completions that are drawn at once for several local steps (steps_per_generation).
#include <gmock/gmock.h>

#include "paretofl/alignment/grpo_steps.h"
#include "paretofl/alignment/reward_learner.h"
#include "paretofl/core/error.h"
#include "tests/alignment/bigram_lm.h"
#include "tests/alignment/question_task_stub.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

using testing::Pointwise;

constexpr std::size_t kGenerationTokens = 5;

GrpoOptions generating(std::int64_t prompts, std::int64_t steps) {
  GrpoOptions options;
  options.prompts = prompts;
  options.completions = 4;
  options.microbatch = 3;
  options.max_new_tokens = 5;
  options.steps_per_generation = steps;
  return options;
}

std::vector<float> generation_theta() {
  Random random({3, 0, 0}, "theta");
  std::vector<float> theta(kGenerationTokens * kGenerationTokens);
  for (float& value : theta) value = static_cast<float>(random.below(64)) / 64;
  return theta;
}

/// Steps of one round, whose theta each step says.
class StepsOfARound {
 public:
  explicit StepsOfARound(const GrpoOptions& options, GrpoSteps::Listener listener = {})
      : steps_(std::make_shared<BigramLm>(kGenerationTokens), std::make_shared<TokenQuestions>(2), options, {}, {}, std::move(listener)) {
    steps_.start_round({1, 1, 0});
  }

  std::vector<float> gradient(std::span<const float> theta) {
    std::vector<float> gradient(theta.size());
    steps_.step(number_++, theta, std::vector{0.5, 0.5}, gradient, {});
    return gradient;
  }
  /// The mean |log ratio| of the steps so far.
  double log_ratio() const { return steps_.figures().at("log_ratio")[0]; }

 private:
  GrpoSteps steps_;
  std::int64_t number_ = 0;
};

std::vector<float> moved(std::vector<float> theta, float by) {
  theta[1] += by;
  theta[7] -= by;
  return theta;
}

TEST(StepsPerGeneration, TheStepsOfADrawAreItsPartsAndLeaveNothingOut) {
  const std::vector<float> theta = generation_theta();
  for (const std::int64_t parts : {2, 3}) {
    StepsOfARound at_once(generating(6, 1));
    StepsOfARound in_parts(generating(6 / parts, parts));
    const std::vector<float> whole = at_once.gradient(theta);
    std::vector<float> mean(whole.size());
    std::vector<std::vector<float>> of_steps;
    for (std::int64_t step = 0; step < parts; ++step) {
      of_steps.push_back(in_parts.gradient(theta));
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += of_steps.back()[i] / static_cast<float>(parts);
    }
    EXPECT_THAT(mean, Pointwise(testing::FloatNear(1e-6F), whole)) << "the loss is a mean over completions";
    EXPECT_NE(of_steps[0], of_steps[1]);
    EXPECT_NE(in_parts.gradient(theta), of_steps[0]) << "drawn anew";
  }
}

// With steps that are all drawn alone, ratios are 1 wherever theta is; with parts of a draw, after the first of them they are not.
TEST(StepsPerGeneration, RatiosCompareWithTheDrawAndDifferFromOneAfterTheFirstStep) {
  const std::vector<float> theta = generation_theta();
  StepsOfARound alone(generating(2, 1));
  StepsOfARound in_parts(generating(2, 2));
  for (StepsOfARound* steps : {&alone, &in_parts}) {
    steps->gradient(theta);
    EXPECT_LT(steps->log_ratio(), 1e-6);
    steps->gradient(moved(theta, 0.5F));
  }
  EXPECT_LT(alone.log_ratio(), 1e-6);
  EXPECT_GT(in_parts.log_ratio(), 0.01);
}

TEST(StepsPerGeneration, IterationsTakeAllPartsAgainBeforeTheNextDraw) {
  GrpoOptions options = generating(2, 2);
  options.iterations = 2;
  std::size_t draws = 0;
  const auto count = [&](StreamId, std::span<const std::size_t> prompts, std::span<const Completion> completions,
                         std::span<const double> rewards) {
    ++draws;
    EXPECT_EQ(prompts.size(), 16U) << "two steps of two prompts with four completions";
    EXPECT_EQ(completions.size(), 16U);
    EXPECT_EQ(rewards.size(), 32U);
  };
  StepsOfARound steps(options, count);
  const std::vector<float> theta = generation_theta();
  const std::vector<float> first = steps.gradient(theta);
  const std::vector<float> second = steps.gradient(theta);
  EXPECT_EQ(steps.gradient(theta), first);
  EXPECT_EQ(steps.gradient(theta), second);
  EXPECT_EQ(draws, 1U);
  EXPECT_NE(steps.gradient(theta), first);
  EXPECT_EQ(draws, 2U);
}

TEST(StepsPerGeneration, LocalStepsAreAMultipleSoThatNothingIsDrawnInVain) {
  const auto steps = [] {
    return std::make_unique<GrpoSteps>(std::make_shared<BigramLm>(kGenerationTokens), std::make_shared<TokenQuestions>(2), generating(2, 3),
                                       std::vector<TokenId>{});
  };
  EXPECT_NO_THROW(steps()->expect_local_steps(6));
  const auto names_both = testing::ThrowsMessage<Error>(
      testing::AllOf(testing::HasSubstr("strategy.local_steps: expected a multiple of the 3 steps of workload.grpo.steps_per_generation"),
                     testing::EndsWith("found 4")));
  EXPECT_THAT([&] { steps()->expect_local_steps(4); }, names_both);
  EXPECT_THAT([&] { RewardLearner({.local_steps = 4}, steps()); }, names_both);
}

TEST(StepsPerGeneration, TrainingLogProbabilitiesAreThoseAtTheDrawToo) {
  const auto model = random_causal_lm(tiny_config("llama"), Random({3}, "model"),
                                      {.rank = 2, .alpha = 3, .dropout = 0.05, .projections = all_projections("llama")});
  const std::vector<float> theta = random_adapter(*model);
  std::vector<float> other = theta;
  for (float& value : other) value *= 1.5F;
  GrpoOptions options = generating(2, 2);
  options.old_logprobs = "training";
  options.temperature = 0.7;
  options.iterations = 2;
  GrpoSteps steps(model, std::make_shared<TokenQuestions>(2), options, {});
  std::vector<float> gradient(theta.size());
  steps.start_round({1, 1, 0});
  const auto log_ratio_after = [&](std::int64_t step, std::span<const float> at) {
    steps.step(step, at, std::vector{0.5, 0.5}, gradient, {});
    return steps.figures().at("log_ratio")[0];
  };
  for (std::int64_t step = 0; step < 3; ++step) EXPECT_EQ(log_ratio_after(step, theta), 0) << step << ": the same masks at every pass";
  EXPECT_GT(log_ratio_after(3, other), 1e-3);
}

}  // namespace
}  // namespace paretofl
