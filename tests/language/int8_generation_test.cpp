// Completions that are drawn with weights rounded to 8 bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "paretofl/core/error.h"
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

INSTANTIATE_TEST_SUITE_P(Decoders, Int8Generation, kDecoderFamilies);

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
  };
  refuses("phi3", {}, "Float on cpu with fused maps");
  refuses("llama", {.dtype = "float64"}, "Double on cpu");
}

}  // namespace
}  // namespace paretofl
