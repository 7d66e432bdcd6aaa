#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/language/bytes_held.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

struct PassResult {
  std::vector<double> logprobs;
  std::vector<double> entropies;
  std::vector<float> hidden;
  std::vector<float> jacobian;      // [2, d]
  std::vector<double> activations;  // [1, H]
};

TokenSequence completed(TokenIds prompt, const TokenIds& completion) {
  prompt.insert(prompt.end(), completion.begin(), completion.end());
  return {prompt, completion.size()};
}

// Three completions of one prompt, one of which is empty, two of another, between them, and one of a prompt that begins as the first.
std::vector<TokenSequence> groups() {
  const TokenIds first = random_tokens(9, 1);
  const TokenIds second = random_tokens(4, 2);
  return {completed(first, random_tokens(5, 3)),
          completed(second, random_tokens(3, 4)),
          completed(first, random_tokens(2, 5)),
          completed(first, {}),
          completed({first.begin(), first.end() - 2}, random_tokens(4, 6)),
          completed(second, random_tokens(6, 7))};
}

PassResult pass(const CausalLm& model, const std::vector<TokenSequence>& sequences, const Random* dropout, std::int64_t layer) {
  const std::vector<float> adapter = random_adapter(model);
  std::size_t count = 0;
  for (const TokenSequence& sequence : sequences) count += sequence.completion_length;
  PassResult result;
  result.jacobian.resize(2 * adapter.size());
  result.activations.resize(static_cast<std::size_t>(model.config().hidden_size));
  const std::vector<double> slopes(count, 0.3);
  const auto losses = [&](const CompletionTokens& tokens, std::span<double> gradients) {
    result.logprobs.assign(tokens.logprobs.begin(), tokens.logprobs.end());
    result.entropies.assign(tokens.entropies.begin(), tokens.entropies.end());
    result.hidden.assign(tokens.hidden.begin(), tokens.hidden.end());
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] = std::cos(static_cast<double>(i));
  };
  model.jacobian(sequences, adapter, dropout, losses, result.jacobian, {layer, result.activations},
                 {.temperature = 0.7, .entropies = true, .entropy_slopes = slopes});
  return result;
}

std::shared_ptr<const CausalLm> sharing_model(const LanguageModelConfig& config, ModelPlacement placement) {
  return random_causal_lm(config, Random({3}, "model"),
                          {.rank = 2, .alpha = 3, .dropout = 0.3, .projections = all_projections(config.model_type)}, placement);
}

class SharedPrompts : public testing::TestWithParam<const char*> {};

TEST_P(SharedPrompts, GiveWhatPromptsOfTheirOwnGive) {
  const LanguageModelConfig config = tiny_config(GetParam());
  const auto shared = sharing_model(config, {.dtype = "float64", .shared_prompts = true});
  const auto apart = sharing_model(config, {.dtype = "float64"});
  for (const std::int64_t layer : {-1, 0, 1}) {
    const PassResult found = pass(*shared, groups(), nullptr, layer);
    const PassResult expected = pass(*apart, groups(), nullptr, layer);
    EXPECT_THAT(found.logprobs, testing::Pointwise(testing::DoubleNear(1e-10), expected.logprobs));
    EXPECT_THAT(found.entropies, testing::Pointwise(testing::DoubleNear(1e-10), expected.entropies));
    EXPECT_THAT(found.hidden, testing::Pointwise(testing::FloatNear(1e-6F), expected.hidden));
    EXPECT_THAT(found.jacobian, testing::Pointwise(testing::FloatNear(1e-5F), expected.jacobian));
    EXPECT_THAT(found.activations, testing::Pointwise(testing::DoubleNear(1e-9), expected.activations));
    EXPECT_GT(*std::ranges::max_element(expected.jacobian), 0.1);
  }
  EXPECT_THAT(shared->logprobs(groups(), random_adapter(*shared)).front(),
              testing::Pointwise(testing::FloatNear(1e-6F), apart->logprobs(groups(), random_adapter(*apart)).front()));
}

TEST_P(SharedPrompts, GiveTheSameInSinglePrecision) {
  const LanguageModelConfig config = tiny_config(GetParam());
  const PassResult found = pass(*sharing_model(config, {.shared_prompts = true}), groups(), nullptr, 0);
  const PassResult expected = pass(*sharing_model(config, {}), groups(), nullptr, 0);
  EXPECT_THAT(found.logprobs, testing::Pointwise(testing::DoubleNear(1e-4), expected.logprobs));
  const float largest = std::abs(*std::ranges::max_element(expected.jacobian, {}, [](float x) { return std::abs(x); }));
  EXPECT_THAT(found.jacobian, testing::Pointwise(testing::FloatNear(1e-4F * largest), expected.jacobian));
}

TEST_P(SharedPrompts, ChangeNoBitWherePromptsDiffer) {
  const LanguageModelConfig config = tiny_config(GetParam());
  const std::vector<TokenSequence> sequences = {{random_tokens(9, 1), 4}, {random_tokens(6, 2), 5}, {random_tokens(6, 3), 1}};
  const Random dropout({5}, "dropout");
  const PassResult found = pass(*sharing_model(config, {.shared_prompts = true}), sequences, &dropout, 0);
  const PassResult expected = pass(*sharing_model(config, {}), sequences, &dropout, 0);
  EXPECT_THAT(found.logprobs, testing::ElementsAreArray(expected.logprobs));
  EXPECT_THAT(found.jacobian, testing::ElementsAreArray(expected.jacobian));
}

TEST_P(SharedPrompts, GiveTheSameBitsWithGradientCheckpointing) {
  const LanguageModelConfig config = tiny_config(GetParam());
  const Random dropout({5}, "dropout");
  const PassResult found = pass(*sharing_model(config, {.gradient_checkpointing = true, .shared_prompts = true}), groups(), &dropout, 1);
  const PassResult expected = pass(*sharing_model(config, {.shared_prompts = true}), groups(), &dropout, 1);
  EXPECT_THAT(found.jacobian, testing::ElementsAreArray(expected.jacobian));
  EXPECT_THAT(found.activations, testing::ElementsAreArray(expected.activations));
}

TEST_P(SharedPrompts, HaveOneDropoutMask) {
  const LanguageModelConfig config = tiny_config(GetParam());
  const TokenIds prompt = random_tokens(9, 1);
  const std::vector<TokenSequence> twice = {completed(prompt, {7, 1}), completed(prompt, {7, 2, 3})};
  const Random dropout({5}, "dropout");
  const PassResult shared = pass(*sharing_model(config, {.shared_prompts = true}), twice, &dropout, 0);
  const PassResult apart = pass(*sharing_model(config, {}), twice, &dropout, 0);
  EXPECT_EQ(shared.logprobs[0], shared.logprobs[2]);  // the first tokens, which only the prompt decides
  EXPECT_NE(apart.logprobs[0], apart.logprobs[2]);
}

INSTANTIATE_TEST_SUITE_P(Decoders, SharedPrompts, kDecoderFamilies);

// LongRoPE has other frequencies in sequences beyond the original length: the same prompt is another one there.
TEST(SharedPromptsOfLongRope, KeepSequencesBeyondTheOriginalLengthApart) {
  LanguageModelConfig config = tiny_config("phi3");
  config.rope_scaling->original_max_position_embeddings = 12;
  const TokenIds prompt = random_tokens(9, 1);
  const std::vector<TokenSequence> sequences = {completed(prompt, random_tokens(2, 2)), completed(prompt, random_tokens(8, 3)),
                                                completed(prompt, random_tokens(3, 4)), completed(prompt, random_tokens(4, 5))};
  const PassResult found = pass(*sharing_model(config, {.dtype = "float64", .shared_prompts = true}), sequences, nullptr, 0);
  const PassResult expected = pass(*sharing_model(config, {.dtype = "float64"}), sequences, nullptr, 0);
  EXPECT_THAT(found.logprobs, testing::Pointwise(testing::DoubleNear(1e-10), expected.logprobs));
  EXPECT_THAT(found.jacobian, testing::Pointwise(testing::FloatNear(1e-5F), expected.jacobian));
}

TEST(SharedPromptsMemory, HoldsAPromptOnce) {
  if (!heap_is_counted()) GTEST_SKIP() << "a sanitizer's allocator, which does not count";
  LanguageModelConfig config = tiny_config("llama");
  config.intermediate_size = 1200;
  config.max_position_embeddings = 128;
  const TokenIds prompt = random_tokens(100, 1);
  std::vector<TokenSequence> sequences;
  for (std::uint64_t s = 0; s < 16; ++s) sequences.push_back(completed(prompt, random_tokens(10, 2 + s)));
  bytes_held(config, {.shared_prompts = true}, {sequences.data(), 1});  // what is set up once
  const std::size_t held = bytes_held(config, {.shared_prompts = true}, sequences);
  EXPECT_LT(3 * held, bytes_held(config, {}, sequences));  // which also uses the memory of the first again
}

}  // namespace
}  // namespace paretofl
