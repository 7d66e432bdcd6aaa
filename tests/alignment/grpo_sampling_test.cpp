#include <gmock/gmock.h>

#include <cmath>

#include "paretofl/alignment/grpo_steps.h"
#include "paretofl/core/error.h"
#include "tests/alignment/bigram_lm.h"
#include "tests/alignment/question_task_stub.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

constexpr std::size_t kWords = 5;

GrpoOptions sampled() {
  GrpoOptions options;
  options.prompts = 2;
  options.completions = 6;
  options.microbatch = 5;
  options.max_new_tokens = 5;
  return options;
}

/// Takes steps on one batch or more at the same theta.
std::map<std::string, std::vector<double>> figures_at(const std::shared_ptr<const CausalLm>& model, const GrpoOptions& options,
                                                      std::span<const float> theta, std::int64_t steps = 1) {
  GrpoSteps grpo(model, std::make_shared<TokenQuestions>(2), options, {});
  std::vector<float> gradient(theta.size());
  grpo.start_round({1, 1, 0});
  for (std::int64_t step = 0; step < steps; ++step) grpo.step(step, theta, std::vector{0.5, 0.5}, gradient, {});
  return grpo.figures();
}

/// Row 0 is sure of token 1, the others are uniform.
std::vector<float> sure_after_zero() {
  std::vector<float> theta(kWords * kWords);
  theta[1] = 60;
  return theta;
}

class OnPolicyRatios : public testing::TestWithParam<bool> {};  // of shared_prompts

TEST_P(OnPolicyRatios, AreExactlyOneUnderDropoutAndTemperature) {
  const auto model =
      random_causal_lm(tiny_config("llama"), Random({3}, "model"),
                       {.rank = 2, .alpha = 3, .dropout = 0.05, .projections = all_projections("llama")}, {.shared_prompts = GetParam()});
  const std::vector<float> theta = random_adapter(*model);
  GrpoOptions options = sampled();
  options.temperature = 0.7;
  options.iterations = 2;
  EXPECT_GT(figures_at(model, options, theta, 4).at("log_ratio")[0], 1e-3) << "the sampler has no dropout";
  options.old_logprobs = "training";
  for (const char* level : {"token", "sequence"}) {
    options.importance_sampling_level = level;
    options.clip = 0;  // any other ratio would be clipped
    const auto figures = figures_at(model, options, theta, 4);
    EXPECT_EQ(figures.at("log_ratio")[0], 0);
    EXPECT_EQ(figures.at("clipped")[0], 0);
  }
}

INSTANTIATE_TEST_SUITE_P(GrpoSteps, OnPolicyRatios, testing::Bool());

TEST(GrpoSteps, KlAndEntropyAreAtTheTemperatureOfTheRatios) {
  GrpoOptions options = sampled();
  options.kl_coefficient = 0.1;
  options.max_new_tokens = 1;
  options.temperature = 0.5;
  options.old_logprobs = "training";
  std::vector<float> theta(kWords * kWords);
  for (std::size_t from = 0; from < kWords; ++from) theta[from * kWords + 1] = 1;
  const auto figures = figures_at(std::make_shared<BigramLm>(kWords), options, theta, 20);
  const double one = std::exp(2) / (std::exp(2) + 4), other = 1 / (std::exp(2) + 4);  // logits over 0.5
  EXPECT_NEAR(figures.at("entropy")[0], -one * std::log(one) - 4 * other * std::log(other), 1e-6);
  // k of a token is r - log r - 1 with r = 0.2 / p.
  const double k_one = 0.2 / one - std::log(0.2 / one) - 1, k_other = 0.2 / other - std::log(0.2 / other) - 1;
  const double share = figures.at("reward")[0];  // of token 1
  EXPECT_NEAR(figures.at("kl")[0], share * k_one + (1 - share) * k_other, 1e-5);
  EXPECT_NEAR(share, one, 0.15);
}

TEST(GrpoSteps, AFreshAdapterIsAtNoDistanceFromItsBaseAtAnyTemperature) {
  const auto model = random_causal_lm(tiny_config("llama"), Random({3}, "model"),
                                      {.rank = 2, .alpha = 3, .dropout = 0, .projections = all_projections("llama")});
  std::vector<float> theta(model->adapter_layout()->size());
  model->initialize_adapter(Random({1}, "adapter"), theta);
  GrpoOptions options = sampled();
  options.temperature = 0.7;
  options.old_logprobs = "training";
  options.kl_coefficient = 0.1;
  EXPECT_NEAR(figures_at(model, options, theta).at("kl")[0], 0, 1e-8);
}

TEST(GrpoSteps, AnEntropyBonusMakesAPolicyLessSure) {
  std::vector<float> theta = sure_after_zero();
  theta[1] = 2;
  GrpoOptions options = sampled();
  const std::vector<double> none = {0.5, 0.5};
  const auto gradient_of = [&](double coefficient) {
    options.entropy_coef = coefficient;
    GrpoSteps grpo(std::make_shared<BigramLm>(kWords), std::make_shared<TokenQuestions>(2), options, {});
    std::vector<float> gradient(theta.size());
    grpo.start_round({1, 1, 0});
    grpo.step(0, theta, none, gradient, {});
    return gradient;
  };
  const auto plain = gradient_of(0), with = gradient_of(10);
  EXPECT_GT(with[1], plain[1]) << "descent lowers the logit of the token that is too sure";
  EXPECT_EQ(plain, gradient_of(0));
}

TEST(GrpoSteps, DynamicSamplingReplacesFlatPrompts) {
  GrpoOptions options = sampled();
  options.max_new_tokens = 1;
  const auto model = std::make_shared<BigramLm>(kWords);
  const std::vector<float> theta = sure_after_zero();
  const auto plain = figures_at(model, options, theta, 10);
  EXPECT_GT(plain.at("flat_prompts")[0], 0.1);
  EXPECT_FALSE(plain.contains("redraws"));
  options.dynamic_sampling = 50;
  const auto found = figures_at(model, options, theta, 10);
  EXPECT_EQ(found.at("flat_prompts")[0], 0);
  EXPECT_GT(found.at("redraws")[0], 0);
  EXPECT_LT(found.at("redraws")[0], 5);
  EXPECT_GT(found.at("flat_groups")[0], 0.1) << "of all that was drawn";
}

TEST(GrpoSteps, DynamicSamplingEndsWhereAllPromptsAreFlat) {
  GrpoOptions options = sampled();
  options.max_new_tokens = 1;
  options.dynamic_sampling = 3;
  std::vector<float> theta(kWords * kWords);
  for (std::size_t from = 0; from < kWords; ++from) theta[from * kWords + 1] = 60;
  const auto figures = figures_at(std::make_shared<BigramLm>(kWords), options, theta, 2);
  EXPECT_EQ(figures.at("redraws")[0], 3);
  EXPECT_EQ(figures.at("flat_prompts")[0], 1);
}

TEST(GrpoSteps, FiguresOfEachRewardAndOfLengths) {
  const auto model = std::make_shared<BigramLm>(kWords);
  const auto even = figures_at(model, sampled(), std::vector<float>(kWords * kWords));
  EXPECT_NEAR(even.at("entropy")[0], std::log(5), 1e-6);
  EXPECT_EQ(even.at("shortest_response")[0], 5);
  EXPECT_EQ(even.at("longest_response")[0], 5);
  for (const double deviation : even.at("reward_deviation")) EXPECT_GT(deviation, 0.05);
  EXPECT_THAT(even.at("flat_groups"), testing::ElementsAre(0, 0));
  std::vector<float> theta(kWords * kWords);
  for (std::size_t from = 0; from < kWords; ++from) theta[from * kWords + 1] = 60;
  const auto sure = figures_at(model, sampled(), theta);
  EXPECT_THAT(sure.at("reward_deviation"), testing::ElementsAre(0, 0));
  EXPECT_THAT(sure.at("flat_groups"), testing::ElementsAre(1, 1));
  EXPECT_NEAR(sure.at("entropy")[0], 0, 1e-6);
}

TEST(GrpoSteps, TheReferenceFollowsThePolicyWhereItIsSynchronized) {
  GrpoOptions options = sampled();
  options.kl_coefficient = 0.1;
  options.sync_ref_model = true;
  options.ref_model_sync_steps = 2;
  options.ref_model_mixup_alpha = 0.25;
  GrpoSteps grpo(std::make_shared<BigramLm>(kWords), std::make_shared<TokenQuestions>(2), options, {});
  const std::vector<float> start(kWords * kWords);
  std::vector<float> moved = start, gradient(start.size());
  for (std::size_t from = 0; from < kWords; ++from) moved[from * kWords + 1] = 40;  // every token is 1
  double sum = 0;                                                                   // of k over the steps so far
  const auto k_of_step = [&](std::int64_t step, std::span<const float> theta) {
    grpo.step(step, theta, std::vector{0.5, 0.5}, gradient, {});
    const double before = sum;
    sum = grpo.figures().at("kl")[0] * static_cast<double>(step + 1);
    return sum - before;
  };
  // k of a token of which the policy is sure, and which the reference gives logits of 0 and of x.
  const auto k_of = [](double x) {
    const double ratio = std::exp(x) / (std::exp(x) + 4);
    return ratio - std::log(ratio) - 1;
  };
  for (const std::uint32_t round : {1U, 2U}) {
    grpo.start_round({1, round, 0});
    sum = 0;
    EXPECT_NEAR(k_of_step(0, start), 0, 1e-9) << "the round's own start";
    EXPECT_NEAR(k_of_step(1, moved), k_of(0), 1e-5);
    EXPECT_NEAR(k_of_step(2, moved), k_of(0.25 * 40), 1e-5) << "a quarter of the way";
    EXPECT_NEAR(k_of_step(3, moved), k_of(0.25 * 40), 1e-5);
    EXPECT_NEAR(k_of_step(4, moved), k_of(40 * (1 - 0.75 * 0.75)), 1e-5);
  }
  options.kl_coefficient = 0;
  EXPECT_THAT([&] { figures_at(std::make_shared<BigramLm>(kWords), options, start); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("grpo.sync_ref_model: expected false where kl_coefficient is 0")));
}

/// Keeps how it was last asked to draw.
class AskedLm : public BigramLm {
 public:
  using BigramLm::BigramLm;
  std::vector<Completion> generate(std::span<const TokenIds> prompts, std::span<const float> adapter, const Sampling& sampling,
                                   GenerationExtras extras, Random random) const override {
    asked = sampling;
    return BigramLm::generate(prompts, adapter, sampling, extras, random);
  }
  mutable Sampling asked;
};

TEST(GrpoSteps, DrawsAsConfigured) {
  const auto model = std::make_shared<AskedLm>(kWords);
  GrpoOptions options = sampled();
  options.temperature = 0.9;
  options.top_k = 4;
  options.top_p = 0.8;
  options.min_p = 0.05;
  figures_at(model, options, std::vector<float>(kWords * kWords));
  EXPECT_EQ(model->asked.max_new_tokens, 5);
  EXPECT_EQ(model->asked.temperature, 0.9);
  EXPECT_EQ(model->asked.top_k, 4);
  EXPECT_EQ(model->asked.top_p, 0.8);
  EXPECT_EQ(model->asked.min_p, 0.05);
}

}  // namespace
}  // namespace paretofl
