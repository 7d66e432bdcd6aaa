#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "paretofl/alignment/drawn_prompts.h"
#include "paretofl/alignment/grpo_steps.h"
#include "paretofl/core/error.h"
#include "paretofl/local/adam.h"
#include "paretofl/local/reward_weights.h"
#include "tests/alignment/bigram_lm.h"
#include "tests/alignment/question_task_stub.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using testing::ThrowsMessage;

constexpr std::size_t kVocabulary = 5;

GrpoOptions small() {
  GrpoOptions options;
  options.prompts = 2;
  options.completions = 6;
  options.microbatch = 5;
  options.max_new_tokens = 5;
  return options;
}

GrpoSteps make_steps(const GrpoOptions& options, std::size_t rewards = 2) {
  return {std::make_shared<BigramLm>(kVocabulary), std::make_shared<TokenQuestions>(rewards), options, {}};
}

std::vector<float> some_theta() {
  Random random({3, 0, 0}, "theta");
  std::vector<float> theta(kVocabulary * kVocabulary);
  for (float& value : theta) value = static_cast<float>(random.below(64)) / 64;
  return theta;
}

/// Loss of the second local step on a batch that was drawn at `start`, for it is there that ratios differ from 1.
struct SecondStep {
  std::vector<float> gradient;
  std::vector<double> hidden;
  double loss = 0;
};

SecondStep second_step(const GrpoOptions& options, std::span<const double> weights, std::span<const float> theta) {
  const std::vector<float> start = some_theta();
  GrpoSteps steps = make_steps(options, weights.size());
  SecondStep at{std::vector<float>(start.size()), std::vector<double>(weights.size() * kVocabulary)};
  steps.start_round({1, 1, 0});
  steps.step(0, start, weights, at.gradient, {});
  at.loss = steps.step(1, theta, weights, at.gradient, at.hidden);
  return at;
}

/// Expects the second step's gradient to be that of its loss, by finite differences.
void expect_gradient_of_loss(const GrpoOptions& options) {
  const std::vector<double> weights = {0.25, 0.75};
  std::vector<float> theta = some_theta();
  Random random({4, 0, 0}, "step");
  for (float& value : theta) value += static_cast<float>(random.below(16)) / 64;
  const SecondStep at = second_step(options, weights, theta);
  double largest = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const float kept = theta[i];
    theta[i] = kept + 1.F / 1024;
    const double above = second_step(options, weights, theta).loss;
    theta[i] = kept - 1.F / 1024;
    const double below = second_step(options, weights, theta).loss;
    theta[i] = kept;
    EXPECT_NEAR(at.gradient[i], (above - below) * 512, 2e-5) << i;
    largest = std::max(largest, std::abs(double{at.gradient[i]}));
  }
  EXPECT_GT(largest, 0.01);
}

TEST(GrpoSteps, GradientIsThatOfTheLoss) {
  GrpoOptions options = small();
  options.iterations = 2;
  options.kl_coefficient = 0.04;
  options.clip = 0.3;
  expect_gradient_of_loss(options);
  options.entropy_coef = 0.5;
  options.loss_type = "dapo";
  options.importance_sampling_level = "sequence";
  expect_gradient_of_loss(options);
  options.old_logprobs = "training";
  options.temperature = 0.7;
  expect_gradient_of_loss(options);
}

TEST(GrpoSteps, MicrobatchesDoNotChangeTheGradient) {
  GrpoOptions options = small();
  options.iterations = 2;
  const std::vector<float> theta = some_theta();
  const std::vector<double> weights = {0.5, 0.5};
  const SecondStep parts = second_step(options, weights, theta);
  options.microbatch = 100;
  const SecondStep whole = second_step(options, weights, theta);
  EXPECT_NEAR(parts.loss, whole.loss, 1e-12);
  EXPECT_THAT(parts.gradient, Pointwise(testing::FloatNear(1e-6F), whole.gradient));
  EXPECT_THAT(parts.hidden, Pointwise(DoubleNear(1e-12), whole.hidden));
}

TEST(GrpoSteps, ARewardsOwnGradientIsThatOfTheLossWithThatRewardAlone) {
  GrpoOptions options = small();
  options.kl_coefficient = 0.5;  // no reward's own
  options.iterations = 2;
  const std::vector<float> theta = some_theta();
  const SecondStep mixed = second_step(options, std::vector{0.5, 0.5}, theta);
  options.kl_coefficient = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<double> alone(2);
    alone[k] = 1;
    const SecondStep one = second_step(options, alone, theta);
    // Hidden states are one-hot, logits hidden times adapter: g_h = adapter (dL / dlogits), summed over the tokens, and the
    // gradient of the adapter has the sums of dL / dlogits by the token before as its rows.
    for (std::size_t u = 0; u < kVocabulary; ++u) {
      double expected = 0;
      for (std::size_t v = 0; v < kVocabulary; ++v) {
        double slope = 0;
        for (std::size_t from = 0; from < kVocabulary; ++from) slope += one.gradient[from * kVocabulary + v];
        expected += slope * theta[u * kVocabulary + v];
      }
      EXPECT_NEAR(mixed.hidden[k * kVocabulary + u], expected, 1e-6);
    }
  }
}

TEST(GrpoSteps, LearnsTheRewardThatHasTheWeight) {
  for (const std::size_t wanted : {0U, 1U}) {
    std::vector<double> weights(2);
    weights[wanted] = 1;
    GrpoSteps steps = make_steps(small());
    std::vector<float> theta(kVocabulary * kVocabulary);
    std::vector<float> gradient(theta.size());
    Adam adam(theta.size(), 0.05);
    steps.start_round({1, 1, 0});
    for (std::int64_t step = 0; step < 80; ++step) {
      steps.step(step, theta, weights, gradient, {});
      adam.step(gradient, theta);
    }
    const std::vector<double> rewards = steps.evaluate(theta);
    EXPECT_GT(rewards[wanted], 0.8);
    EXPECT_LT(rewards[1 - wanted], 0.2);
  }
}

TEST(GrpoSteps, FiguresAreMeansOverTheRound) {
  GrpoOptions options = small();
  GrpoSteps steps = make_steps(options);
  const std::vector<float> theta = some_theta();
  std::vector<float> gradient(theta.size());
  steps.start_round({1, 1, 0});
  for (std::int64_t step = 0; step < 3; ++step) steps.step(step, theta, std::vector{0.5, 0.5}, gradient, {});
  const auto figures = steps.figures();
  EXPECT_EQ(figures.at("response_length"), std::vector{5.0});
  EXPECT_EQ(figures.at("clipped"), std::vector{0.0});
  EXPECT_EQ(figures.at("reward").size(), 2U);
  EXPECT_FALSE(figures.contains("kl"));
  // A task with one reward that is the same for all teaches nothing: every prompt is flat.
  options.max_new_tokens = 1;
  options.temperature = 0.01;
  GrpoSteps sure = make_steps(options);
  std::vector<float> certain(theta.size());
  for (std::size_t from = 0; from < kVocabulary; ++from) certain[from * kVocabulary + 1] = 50;
  sure.start_round({1, 1, 0});
  sure.step(0, certain, std::vector{0.5, 0.5}, gradient, {});
  EXPECT_EQ(sure.figures().at("flat_prompts"), std::vector{1.0});
  EXPECT_THAT(gradient, Each(0.F));
  EXPECT_EQ(sure.figures().at("reward"), (std::vector{1.0, 0.0}));
}

TEST(GrpoSteps, TruncatedCompletionsAreLeftOutWhereAskedTo) {
  const auto gradient_of = [](bool mask, std::vector<TokenId> stop, std::map<std::string, std::vector<double>>& figures) {
    GrpoOptions options = small();
    options.mask_truncated_completions = mask;
    GrpoSteps steps(std::make_shared<BigramLm>(kVocabulary), std::make_shared<TokenQuestions>(2), options, std::move(stop));
    const std::vector<float> theta = some_theta();
    std::vector<float> gradient(theta.size());
    steps.start_round({1, 1, 0});
    steps.step(0, theta, std::vector{0.5, 0.5}, gradient, {});
    figures = steps.figures();
    return gradient;
  };
  std::map<std::string, std::vector<double>> figures;
  // Without a stop token all are cut off by the length.
  EXPECT_THAT(gradient_of(true, {}, figures), Each(0.F));
  EXPECT_EQ(figures.at("truncated"), std::vector{1.0});
  const auto with = gradient_of(true, {2}, figures);
  EXPECT_GT(figures.at("truncated")[0], 0);
  EXPECT_LT(figures.at("truncated")[0], 1);
  EXPECT_NE(with, gradient_of(false, {2}, figures));
  // Per token that counts: a step in which none does is not a step of entropy 0.
  GrpoOptions half = small();
  half.mask_truncated_completions = true;
  half.max_new_tokens = 1;
  half.prompts = 1;
  GrpoSteps masked(std::make_shared<BigramLm>(kVocabulary), std::make_shared<TokenQuestions>(2), half, {2});
  const std::vector<float> even(some_theta().size());
  std::vector<float> gradient(even.size());
  masked.start_round({1, 1, 0});
  for (std::int64_t step = 0; step < 16; ++step) masked.step(step, even, std::vector{0.5, 0.5}, gradient, {});
  EXPECT_NEAR(masked.figures().at("entropy")[0], std::log(kVocabulary), 1e-6);
  // All tokens are stop tokens: nothing is cut off.
  EXPECT_EQ(gradient_of(true, {0, 1, 2, 3, 4}, figures), gradient_of(false, {0, 1, 2, 3, 4}, figures));
  EXPECT_EQ(figures.at("truncated"), std::vector{0.0});
}

TEST(GrpoSteps, OptionsThatExcludeEachOtherAreNamed) {
  const auto with = [](const std::function<void(GrpoOptions&)>& change) {
    return [change] {
      GrpoOptions options = small();
      change(options);
      make_steps(options);
    };
  };
  EXPECT_THAT(with([](GrpoOptions& o) { o.loss_type = "cispo"; }),
              ThrowsMessage<Error>(HasSubstr("grpo.epsilon_high: expected the largest ratio, above 0, with loss_type cispo, found 0")));
  EXPECT_THAT(with([](GrpoOptions& o) { o.loss_type = "cispo", o.epsilon_high = 5, o.delta = 9; }),
              ThrowsMessage<Error>(HasSubstr("grpo.delta: expected 0 with loss_type cispo")));
  EXPECT_THAT(with([](GrpoOptions& o) { o.delta = 1.1; }),
              ThrowsMessage<Error>(HasSubstr("grpo.delta: expected 0, or more than the ratio's upper bound 1.2, found 1.1")));
  EXPECT_THAT(with([](GrpoOptions& o) { o.advantages = "normalize_then_sum", o.scale_rewards = "none"; }),
              ThrowsMessage<Error>(HasSubstr("grpo.scale_rewards: expected group with advantages normalize_then_sum, found none")));
}

TEST(DrawnPrompts, AreDistinctWhereThereAreEnough) {
  Random random({1, 0, 0}, "draws");
  for (int trial = 0; trial < 20; ++trial) {
    EXPECT_THAT(drawn_prompts(random, 4, 4), testing::UnorderedElementsAre(0, 1, 2, 3));
    EXPECT_THAT(drawn_prompts(random, 2, 5), testing::AllOf(testing::SizeIs(5), Each(testing::Lt(2U))));
  }
}

TEST(GrpoSteps, ClippedTokensAndKlAreCountedPerToken) {
  GrpoOptions options = small();
  options.iterations = 2;
  options.kl_coefficient = 0.1;
  GrpoSteps steps = make_steps(options);
  std::vector<float> certain(kVocabulary * kVocabulary);
  for (std::size_t from = 0; from < kVocabulary; ++from) certain[from * kVocabulary + 1] = 50;
  std::vector<float> gradient(certain.size());
  const std::vector<double> weights = {0.5, 0.5};
  steps.start_round({1, 1, 0});
  steps.step(0, certain, weights, gradient, {});
  const double ratio = 0.2;  // of the uniform reference to a sure token
  EXPECT_NEAR(steps.figures().at("kl")[0], ratio - std::log(ratio) - 1, 1e-6);
  steps.start_round({2, 1, 0});
  steps.step(0, some_theta(), weights, gradient, {});
  EXPECT_EQ(steps.figures().at("clipped")[0], 0);
  steps.step(1, certain, weights, gradient, {});
  EXPECT_GT(steps.figures().at("clipped")[0], 0.1);
  EXPECT_LE(steps.figures().at("clipped")[0], 0.5) << "at most all tokens of one step of two";
}

TEST(GrpoSteps, EveryMicrobatchAndStepHasItsOwnDropout) {
  const auto model = std::make_shared<BigramLm>(kVocabulary);
  GrpoSteps steps(model, std::make_shared<TokenQuestions>(2), small(), {});
  const std::vector<float> theta = some_theta();
  std::vector<float> gradient(theta.size());
  steps.start_round({1, 1, 0});
  for (std::int64_t step = 0; step < 2; ++step) steps.step(step, theta, std::vector{0.5, 0.5}, gradient, {});
  ASSERT_EQ(model->masks.size(), 6U) << "12 completions by 5, twice";
  EXPECT_EQ(std::set(model->masks.begin(), model->masks.end()).size(), 6U);
}

TEST(GrpoSteps, StepsOnABatchShareTheirDropoutWhereRatiosCompareTrainingPasses) {
  const auto model = std::make_shared<BigramLm>(kVocabulary);
  GrpoOptions options = small();
  options.iterations = 2;
  options.old_logprobs = "training";
  GrpoSteps steps(model, std::make_shared<TokenQuestions>(2), options, {});
  const std::vector<float> theta = some_theta();
  std::vector<float> gradient(theta.size());
  steps.start_round({1, 1, 0});
  for (std::int64_t step = 0; step < 4; ++step) steps.step(step, theta, std::vector{0.5, 0.5}, gradient, {});
  const auto& masks = model->masks;
  ASSERT_EQ(masks.size(), 12U) << "12 completions by 5, on two batches twice";
  EXPECT_TRUE(std::equal(masks.begin(), masks.begin() + 3, masks.begin() + 3));
  EXPECT_TRUE(std::equal(masks.begin() + 6, masks.begin() + 9, masks.begin() + 9));
  EXPECT_EQ(std::set(masks.begin(), masks.end()).size(), 6U);
}

TEST(GrpoSteps, EvaluatesTheMostProbableCompletions) {
  const BigramLm model(kVocabulary);
  const TokenQuestions task;
  const std::vector<float> theta = some_theta();
  const std::vector<TokenIds> prompts = {task.held_out()->prompt(0), task.held_out()->prompt(1), task.held_out()->prompt(2)};
  const auto completions =
      model.generate(prompts, theta, {.max_new_tokens = 5, .temperature = 0, .stop = {}}, {}, Random({9, 9, 9}, "any"));
  std::vector<double> expected(2);
  const auto rewards = task.rewards({}, completions);
  for (std::size_t i = 0; i < rewards.size(); ++i) expected[i % 2] += rewards[i] / 3;
  const std::vector<double> found = make_steps(small()).evaluate(theta);
  EXPECT_THAT(found, Pointwise(DoubleNear(1e-12), expected));
  EXPECT_GT(found[0] + found[1], 0);
}

TEST(GrpoSteps, StepsComeOnceAndInOrder) {
  GrpoSteps steps = make_steps(small());
  const std::vector<float> theta = some_theta();
  std::vector<float> gradient(theta.size());
  const auto at = [&](std::int64_t step) { return [&, step] { steps.step(step, theta, std::vector{0.5, 0.5}, gradient, {}); }; };
  EXPECT_THAT(at(0), ThrowsMessage<Error>(HasSubstr("grpo: expected a round to be started before step 0, found none")));
  steps.start_round({1, 1, 0});
  at(0)();
  EXPECT_THAT(at(0), ThrowsMessage<Error>(HasSubstr("expected step 1 of the round, found 0")));
  std::vector<double> short_row(kVocabulary);
  EXPECT_THAT(
      [&] {
        steps.step(1, theta, std::vector{0.5, 0.5}, gradient, short_row);
      },
      ThrowsMessage<Error>(HasSubstr("expected room for 2 x 5 activation gradients, found 5")));
  EXPECT_THAT([&] { steps.step(1, theta, std::vector{1.0}, gradient, {}); },
              ThrowsMessage<Error>(HasSubstr("expected 2 weights, found 1")));
}

TEST(RewardWeights, FollowTheInnerProductsOfConsecutiveGradients) {
  RewardWeights weights({0.5, 0.5}, 0.1);
  weights.observe(std::vector{1.0, 0.0, 0.0, 2.0});
  EXPECT_THAT(weights.weights(), ElementsAre(0.5, 0.5));
  EXPECT_THAT(weights.mean_hypergradients(), ElementsAre(0, 0));
  weights.observe(std::vector{2.0, 5.0, 1.0, -0.5});  // Delta = 2 and -1
  // 0.7, 0.4 projected on the simplex.
  EXPECT_THAT(weights.weights(), ElementsAre(DoubleNear(0.65, 1e-12), DoubleNear(0.35, 1e-12)));
  weights.observe(std::vector{0.0, 0.0, 0.0, 0.0});
  EXPECT_THAT(weights.weights(), ElementsAre(DoubleNear(0.65, 1e-12), DoubleNear(0.35, 1e-12)));
  EXPECT_THAT(weights.mean_hypergradients(), ElementsAre(1, -0.5));
}

TEST(RewardWeights, CosinesDoNotDependOnTheScaleOfGradients) {
  const auto after = [](double scale, HypergradientKind kind) {
    RewardWeights weights({0.5, 0.5}, 0.1, kind);
    weights.observe(std::vector{scale, 0.0, 0.0, scale * 2});
    weights.observe(std::vector{scale * 3, scale * 4, scale, -scale});
    return std::pair(std::vector<double>(weights.weights().begin(), weights.weights().end()), weights.mean_hypergradients());
  };
  const auto cosine = after(1, HypergradientKind::kCosine);
  EXPECT_THAT(cosine.second, ElementsAre(DoubleNear(0.6, 1e-12), DoubleNear(-std::sqrt(0.5), 1e-12)));
  EXPECT_THAT(cosine.first,
              ElementsAre(DoubleNear(0.5 + 0.05 * (0.6 + std::sqrt(0.5)), 1e-12), DoubleNear(0.5 - 0.05 * (0.6 + std::sqrt(0.5)), 1e-12)));
  for (const double scale : {1e-6, 1e5}) {
    EXPECT_THAT(after(scale, HypergradientKind::kCosine).first, Pointwise(DoubleNear(1e-12), cosine.first));
    EXPECT_THAT(after(scale, HypergradientKind::kInnerProduct).second,
                ElementsAre(DoubleNear(3 * scale * scale, 1e-9 * scale * scale), DoubleNear(-2 * scale * scale, 1e-9 * scale * scale)));
  }
  RewardWeights zero({0.5, 0.5}, 0.1, HypergradientKind::kCosine);
  zero.observe(std::vector{0.0, 0.0, 1.0, 0.0});
  zero.observe(std::vector{1.0, 0.0, 1.0, 0.0});
  EXPECT_THAT(zero.mean_hypergradients(), ElementsAre(0, 1)) << "no direction, no cosine";
}

TEST(RewardWeights, AConvergedRewardLosesToOneThatMoves) {
  RewardWeights weights({0.2, 0.4, 0.4}, 0.01);
  for (int step = 0; step < 200; ++step) weights.observe(std::vector{1.0, 0.0, 0.0});
  EXPECT_THAT(weights.weights(), ElementsAre(1.0, 0.0, 0.0));
}

TEST(RewardWeights, StayOnTheSimplex) {
  Random random({1, 0, 0}, "gradients");
  RewardWeights weights({0.25, 0.25, 0.25, 0.25}, 5);
  for (int step = 0; step < 300; ++step) {
    std::vector<double> gradients(12);
    for (double& g : gradients) g = random.normal();
    weights.observe(gradients);
    EXPECT_NEAR(std::accumulate(weights.weights().begin(), weights.weights().end(), 0.0), 1, 1e-12);
    EXPECT_THAT(weights.weights(), Each(testing::Ge(0)));
  }
}

TEST(RewardWeights, BadInputIsNamed) {
  EXPECT_THAT([] { RewardWeights({0.5, 0.6}, 0.1); }, ThrowsMessage<Error>(HasSubstr("expected numbers that sum to 1, found 1.1")));
  EXPECT_THAT([] { RewardWeights({1.5, -0.5}, 0.1); }, ThrowsMessage<Error>(HasSubstr("at least 0, found -0.5")));
  RewardWeights weights({0.5, 0.5}, 0.1);
  weights.observe(std::vector{1.0, 1.0});
  EXPECT_THAT(
      [&] {
        weights.observe(std::vector{1.0, 1.0, 1.0, 1.0});
      },
      ThrowsMessage<Error>(HasSubstr("expected gradients of 2 numbers")));
  EXPECT_THAT([&] { weights.observe(std::vector{1.0, std::nan("")}); }, ThrowsMessage<Error>(HasSubstr("expected finite gradients")));
}

}  // namespace
}  // namespace paretofl
