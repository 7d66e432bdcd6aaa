#include "paretofl/completions/language_base.h"

#include <gtest/gtest.h>

#include <vector>

namespace paretofl {
namespace {

// How far apart the first tokens of two completions of one prompt are, which differ by dropout masks of the prompt alone.
double difference_by_masks(bool shared_prompts) {
  const LanguageBase base({.shared_prompts = shared_prompts, .lora_dropout = 0.5}, 1);
  const CausalLm& model = *base.model();
  const std::vector<float> adapter(model.adapter_layout()->size(), 0.1F);
  const std::vector<TokenSequence> sequences = {{{5, 6, 7, 8, 9}, 1}, {{5, 6, 7, 8, 9, 10}, 2}};
  std::vector<float> gradient(adapter.size());
  std::vector<double> logprobs;
  const Random dropout({1}, "dropout");
  model.jacobian(
      sequences, adapter, &dropout,
      [&](const CompletionTokens& tokens, std::span<double>) { logprobs.assign(tokens.logprobs.begin(), tokens.logprobs.end()); },
      gradient);
  return logprobs.at(1) - logprobs.at(0);
}

TEST(LanguageBase, SharesPromptsWhereAskedTo) {
  EXPECT_EQ(difference_by_masks(true), 0);
  EXPECT_NE(difference_by_masks(false), 0);
}

}  // namespace
}  // namespace paretofl
