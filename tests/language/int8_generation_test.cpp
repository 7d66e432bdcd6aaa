// Completions that are drawn with weights rounded to 8 bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/language/token_sampler.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

const Sampling kRounded{.max_new_tokens = 12, .stop = {}, .weights = GenerationWeights::kInt8};

class Int8Generation : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string type = GetParam();
    model_ = random_causal_lm(tiny_config(type), Random({3}, "model"), {.rank = 2, .alpha = 3, .projections = all_projections(type)});
    adapter_ = random_adapter(*model_);
    if (!model_->generates_with(GenerationWeights::kInt8)) GTEST_SKIP() << "a family without int8 weights, which RefusesOthers tests";
  }

  std::vector<Completion> generate(const Sampling& sampling, GenerationExtras extras = {}) const {
    return model_->generate(prompts_, adapter_, sampling, extras, Random({11}, "generation"));
  }
  /// Log-probabilities of completions by a forward pass in float32.
  std::vector<std::vector<float>> exact(const std::vector<Completion>& completions, std::span<const float> adapter) const {
    std::vector<TokenSequence> sequences;
    for (std::size_t b = 0; b < prompts_.size(); ++b) {
      TokenIds ids = prompts_[b];
      ids.insert(ids.end(), completions[b].ids.begin(), completions[b].ids.end());
      sequences.push_back({.ids = std::move(ids), .completion_length = completions[b].ids.size()});
    }
    return model_->logprobs(sequences, adapter);
  }

  std::shared_ptr<const CausalLm> model_;
  std::vector<float> adapter_;
  std::vector<TokenIds> prompts_ = {random_tokens(7, 1), random_tokens(1, 2), random_tokens(7, 1), random_tokens(12, 3)};
};

TEST_P(Int8Generation, ReportsTheSamplersLogprobsCloseToThoseInFloat32) {
  const auto completions = generate(kRounded, {.reference_logprobs = true});
  const auto policy = exact(completions, adapter_);
  const auto reference = exact(completions, {});
  double distance = 0, tokens = 0;
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    for (std::size_t t = 0; t < policy[b].size(); ++t, ++tokens) {
      distance += std::abs(completions[b].logprobs[t] - policy[b][t]);
      EXPECT_NEAR(completions[b].logprobs[t], policy[b][t], 0.5) << b << " " << t;
      EXPECT_NEAR(completions[b].reference_logprobs[t], reference[b][t], 0.5) << b << " " << t;
    }
  }
  EXPECT_LT(distance / tokens, 0.08);
  EXPECT_GT(distance / tokens, 1e-4) << "rounded at all";
}

TEST_P(Int8Generation, DoesNotDependOnThreadsNorChangesWhatFollowsInFloat32) {
  const Sampling plain{.max_new_tokens = 12, .stop = {}};
  const auto before = generate(plain);
  const auto here = generate(kRounded);
  std::vector<std::vector<Completion>> there(2);
  {
    std::jthread first([&] { there[0] = generate(kRounded); });
    std::jthread second([&] { there[1] = generate(kRounded); });
  }
  const auto after = generate(plain);
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    EXPECT_EQ(after[b].logprobs, before[b].logprobs);
    for (const auto& completions : there) {
      EXPECT_EQ(completions[b].ids, here[b].ids);
      EXPECT_EQ(completions[b].logprobs, here[b].logprobs);
    }
  }
}

/// log softmax(logits)[id].
double logprob_of(std::span<const float> logits, TokenId id) { return logits[static_cast<std::size_t>(id)] - log_sum_exp(logits); }

TEST_P(Int8Generation, LogitsAreThoseThatTokensAreDrawnFrom) {
  const auto completions = generate(kRounded);
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    TokenIds ids = prompts_[b];
    ids.insert(ids.end(), completions[b].ids.begin(), completions[b].ids.end());
    const std::vector<float> logits = model_->logits(ids, adapter_, GenerationWeights::kInt8);
    EXPECT_NE(logits, model_->logits(ids, adapter_));
    ASSERT_EQ(logits.size(), ids.size() * 50);
    for (std::size_t t = 0; t < completions[b].ids.size(); ++t) {
      const std::span<const float> row(logits.data() + (prompts_[b].size() + t - 1) * 50, 50);
      // A sum of floats in another order can move an activation to the next of 127 integers.
      EXPECT_NEAR(logprob_of(row, completions[b].ids[t]), completions[b].logprobs[t], 5e-3) << b << " " << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Decoders, Int8Generation, kDecoderFamilies);

TEST(Int8GenerationModels, LogitsOfManyTokensAreThoseOfAPromptAsLong) {
  LanguageModelConfig config = tiny_config("llama");
  config.max_position_embeddings = 600;
  const auto model = random_causal_lm(config, Random({3}, "model"), {.rank = 2});
  const std::vector<float> adapter = random_adapter(*model);
  const TokenIds prompt = random_tokens(523, 4);
  const std::vector<float> logits = model->logits(prompt, adapter, GenerationWeights::kInt8);
  const auto drawn =
      model->generate({&prompt, 1}, adapter, {.max_new_tokens = 1, .stop = {}, .weights = GenerationWeights::kInt8}, {}, Random({1}, "g"));
  EXPECT_NEAR(logprob_of(std::span(logits).last(50), drawn[0].ids[0]), drawn[0].logprobs[0], 5e-3);
  const std::span<const TokenIds::value_type> beginning(prompt.data(), 256);
  const std::vector<float> of_beginning = model->logits(beginning, adapter, GenerationWeights::kInt8);
  EXPECT_THAT(of_beginning, testing::ElementsAreArray(std::span(logits).first(256 * 50))) << "later tokens change nothing";
}

TEST(GenerationWeights, HaveNames) {
  for (std::size_t i = 0; i < generation_weights_names().size(); ++i) {
    EXPECT_EQ(parse_generation_weights(generation_weights_names()[i]), static_cast<GenerationWeights>(i));
  }
  EXPECT_THAT([] { parse_generation_weights("int4"); },
              testing::ThrowsMessage<Error>("language model: expected generation weights of float32 or int8, found 'int4'"));
}

TEST(Int8GenerationModels, RefusesOthers) {
  const auto refuses = [](const std::string& family, const ModelPlacement& placement, const std::string& found) {
    const auto model = random_causal_lm(tiny_config(family), Random({3}, "model"), {.rank = 0}, placement);
    EXPECT_FALSE(model->generates_with(GenerationWeights::kInt8));
    EXPECT_TRUE(model->generates_with(GenerationWeights::kFloat32));
    const TokenIds prompt = {1};
    EXPECT_THAT(
        [&] {
          model->generate({&prompt, 1}, {}, kRounded, {}, Random({1}, "g"));
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr("to generate with int8 weights, found " + found)));
    EXPECT_THAT([&] { model->logits(prompt, {}, GenerationWeights::kInt8); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("to generate with int8 weights, found " + found)));
  };
  refuses("phi3", {}, "Float on cpu with fused maps");
  refuses("llama", {.dtype = "float64"}, "Double on cpu");
}

}  // namespace
}  // namespace paretofl
