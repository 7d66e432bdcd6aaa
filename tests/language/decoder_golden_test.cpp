// Against logits, continuations and log-probabilities that the reference library computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paretofl/language/peft_adapter.h"
#include "tests/language/golden_decoder.h"

namespace paretofl {
namespace {

constexpr double kTolerance = 1e-4;

struct Fixture {
  const char* name;
  bool lora = false;
  const char* dtype = "float32";
};

// Names a case in a failure.
// NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Fixture& fixture, std::ostream* out) {
  *out << fixture.name << (fixture.lora ? " with LoRA" : "") << " " << fixture.dtype;
}

class EveryGoldenDecoder : public testing::TestWithParam<Fixture> {
 protected:
  void SetUp() override {
    PARETOFL_NEEDS_GOLDEN_MODELS();
    const GoldenDecoder recorded(GetParam().name);
    const bool lora = GetParam().lora;
    model_ = load_causal_lm(recorded.folder, lora ? read_peft_options(recorded.folder / "lora") : kNoAdapter, {.dtype = GetParam().dtype});
    if (lora) adapter_ = read_peft_adapter(recorded.folder / "lora", *model_->adapter_layout());
    golden_ = recorded.golden;
    prompts_ = lora ? golden_["lora"]["prompts"] : golden_["prompts"];
  }

  void expect_logits(std::span<const float> found, const nlohmann::json& expected) const {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t v = 0; v < found.size(); ++v) ASSERT_NEAR(found[v], expected[v].get<double>(), kTolerance) << "token " << v;
  }

  std::shared_ptr<const CausalLm> model_;
  std::vector<float> adapter_;
  nlohmann::json golden_;
  nlohmann::json prompts_;
};

TEST_P(EveryGoldenDecoder, HasTheLogits) {
  for (const auto& prompt : prompts_) {
    const auto ids = prompt["ids"].get<TokenIds>();
    const std::vector<float> logits = model_->logits(ids, adapter_);
    const std::size_t vocabulary = logits.size() / ids.size();
    const std::span all(logits);
    expect_logits(all.last(vocabulary), prompt["logits_last"]);
    expect_logits(all.subspan(prompt["mid_index"].get<std::size_t>() * vocabulary, vocabulary), prompt["logits_mid"]);
  }
}

TEST_P(EveryGoldenDecoder, ContinuesAllPromptsInOneBatch) {
  std::vector<TokenIds> ids;
  for (const auto& prompt : prompts_) ids.push_back(prompt["ids"].get<TokenIds>());
  const std::vector<Completion> completions = model_->generate(ids, adapter_, kGreedy, {}, Random({1}, "test"));
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(completions[i].ids, prompts_[i]["greedy"].get<TokenIds>()) << "prompt " << i;
}

TEST_P(EveryGoldenDecoder, HasTheLogprobsOfContinuations) {
  std::vector<TokenSequence> sequences;
  for (const auto& prompt : prompts_) {
    auto ids = prompt["ids"].get<TokenIds>();
    const auto continuation = prompt["continuation"].get<TokenIds>();
    ids.insert(ids.end(), continuation.begin(), continuation.end());
    sequences.push_back({.ids = std::move(ids), .completion_length = continuation.size()});
  }
  const auto logprobs = model_->logprobs(sequences, adapter_);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const auto expected = prompts_[i]["continuation_logprobs"].get<std::vector<double>>();
    ASSERT_EQ(logprobs[i].size(), expected.size());
    for (std::size_t t = 0; t < expected.size(); ++t) EXPECT_NEAR(logprobs[i][t], expected[t], kTolerance);
  }
}

TEST_P(EveryGoldenDecoder, ComputesEachSequenceOfABatch) {
  const auto& batch = golden_["batch"];
  std::vector<TokenIds> prompts;
  for (std::size_t b = 0; b < batch["lengths"].size(); ++b) {
    auto ids = batch["input_ids"][b].get<TokenIds>();
    ids.resize(batch["lengths"][b].get<std::size_t>());
    prompts.push_back(std::move(ids));
  }
  const Sampling once{.max_new_tokens = 1, .temperature = 0, .stop = {}};
  // Recorded without an adapter, with or without one at hand.
  const auto completions = model_->generate(prompts, {}, once, {}, Random({1}, "test"));
  for (std::size_t b = 0; b < prompts.size(); ++b) {
    const auto logits = batch["logits_last"][b].get<std::vector<double>>();
    const auto best = std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit - *best);
    EXPECT_EQ(completions[b].ids, TokenIds{static_cast<TokenId>(best - logits.begin())});
    EXPECT_NEAR(completions[b].logprobs[0], -std::log(sum), kTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Decoders, EveryGoldenDecoder,
                         testing::Values(Fixture{"llama-a"}, Fixture{"llama3-a"}, Fixture{"qwen2-a"}, Fixture{"gpt2-a"},
                                         Fixture{"llama-a", true}, Fixture{"qwen2-a", true}, Fixture{"llama-a", true, "float64"},
                                         Fixture{"gpt2-a", false, "float64"}));

}  // namespace
}  // namespace paretofl
