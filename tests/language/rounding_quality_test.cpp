#include "benchmarks/rounding_quality.h"

#include <gmock/gmock.h>

#include "tests/alignment/bigram_lm.h"

namespace paretofl {
namespace {

/// A bigram model of two tokens with another table for int8, from which it draws token 0 alone.
class TwoTables final : public BigramLm {
 public:
  explicit TwoTables(std::vector<float> rounded) : BigramLm(2), rounded_(std::move(rounded)) {}

  std::vector<float> logits(std::span<const TokenId> ids, std::span<const float> adapter, GenerationWeights weights) const override {
    return BigramLm::logits(ids, weights == GenerationWeights::kInt8 ? rounded_ : adapter);
  }
  std::vector<Completion> generate(std::span<const TokenIds> prompts, std::span<const float>, const Sampling& sampling, GenerationExtras,
                                   Random) const override {
    EXPECT_EQ(sampling.weights, GenerationWeights::kInt8);
    EXPECT_EQ(sampling.temperature, 1);
    std::vector<Completion> completions;
    for (const TokenIds& prompt : prompts) {
      Completion& completion = completions.emplace_back();
      for (TokenId last = prompt.back(); static_cast<std::int64_t>(completion.ids.size()) < sampling.max_new_tokens; last = 0) {
        completion.ids.push_back(0);
        completion.logprobs.push_back(static_cast<float>(rounded_[static_cast<std::size_t>(2 * last)]));
      }
    }
    return completions;
  }

 private:
  std::vector<float> rounded_;
};

/// Logits of a table of two rows, by the probabilities of token 0.
std::vector<float> table(double after_0, double after_1) {
  std::vector<float> logits;
  for (const double p : {after_0, 1 - after_0, after_1, 1 - after_1}) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

TEST(RoundingQuality, IsAsWorkedOutByHand) {
  const TwoTables model(table(0.5 - 1e-3, 0.25));  // q
  const std::vector<float> policy = table(0.75, 0.125);
  const std::vector<TokenIds> windows = {{0, 0, 1, 1}, {1, 0}};
  const std::vector<TokenIds> prompts = {{0, 1}};
  const RoundingQuality quality = rounding_quality(model, policy, windows, prompts, 3, Random({1}, "quality"));
  EXPECT_EQ(quality.positions, 4);
  EXPECT_DOUBLE_EQ(quality.agreement, 0.5) << "after 0 the policy prefers 0, the rounded model 1; after 1 both prefer 1";
  EXPECT_NEAR(quality.perplexity, std::pow(0.75 * 0.25 * 0.875 * 0.125, -0.25), 1e-5);
  EXPECT_NEAR(quality.rounded_perplexity, std::pow(0.499 * 0.501 * 0.75 * 0.25, -0.25), 1e-5);
  EXPECT_EQ(quality.drawn, 3);
  EXPECT_NEAR(quality.logprob_difference, (std::log(0.25 / 0.125) + 2 * std::log(0.75 / 0.499)) / 3, 1e-6);
  const double after_0 = 0.499 * std::log(0.499 / 0.75) + 0.501 * std::log(0.501 / 0.25);
  const double after_1 = 0.25 * std::log(0.25 / 0.125) + 0.75 * std::log(0.75 / 0.875);
  EXPECT_NEAR(quality.divergence, (after_1 + 2 * after_0) / 3, 1e-6);
}

TEST(RoundingQuality, AModelDoesNotDifferFromItself) {
  const std::vector<float> policy = table(0.75, 0.125);
  const TwoTables model(policy);
  const std::vector<TokenIds> windows = {{0, 0, 1, 1}};
  const RoundingQuality quality = rounding_quality(model, policy, windows, windows, 3, Random({1}, "quality"));
  EXPECT_EQ(quality.agreement, 1);
  EXPECT_EQ(quality.perplexity, quality.rounded_perplexity);
  EXPECT_NEAR(quality.logprob_difference, 0, 1e-6);
  EXPECT_EQ(quality.divergence, 0);
}

}  // namespace
}  // namespace paretofl
