#include "paretofl/alignment/dpo_oracle.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "paretofl/alignment/pair_figures.h"
#include "paretofl/core/error.h"
#include "paretofl/tokenizers/byte_tokenizer.h"
#include "tests/alignment/bigram_lm.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A pair of completions of the prompt {0}.
TokenPair pair_of(const TokenIds& chosen, const TokenIds& rejected) {
  const auto sequence = [](const TokenIds& completion) {
    TokenSequence one{{0}, completion.size()};
    one.ids.insert(one.ids.end(), completion.begin(), completion.end());
    return one;
  };
  return {sequence(chosen), sequence(rejected)};
}

class DpoOracles : public testing::Test {
 protected:
  DpoOracles() {
    for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] = static_cast<float>((i * 7 % 5) * 0.2 - 0.3);
  }

  HeldPairs held(std::vector<TokenPair> pairs) const {
    std::vector<std::uint32_t> numbers(pairs.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    return {std::make_shared<ReferencedPairs>(model_, std::move(pairs)), std::move(numbers)};
  }
  DpoOracle oracle(std::int64_t batch = 2, const DpoRuleOptions& loss = {.beta = 0.5}) const {
    return {model_, {first_, second_}, {.batch_size = batch, .loss = loss}};
  }

  std::shared_ptr<const BigramLm> model_ = std::make_shared<BigramLm>(4);
  HeldPairs first_ = held({pair_of({1, 2}, {3}), pair_of({2}, {1, 1, 3}), pair_of({3, 3}, {1, 2})});
  HeldPairs second_ = held({pair_of({3}, {1, 2}), pair_of({1, 3, 1}, {2})});
  std::vector<float> theta_ = std::vector<float>(16);
  Draw draw_{Random({1, 1, 1}, "test"), 0};
};

TEST_F(DpoOracles, GradientsAreFiniteDifferencesOfTheLosses) {
  for (const char* type : {"sigmoid", "sigmoid_norm", "ipo", "robust"}) {
    const DpoOracle all = oracle(3, {.loss_type = type, .beta = 0.5});
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<float> gradient(16);
      const double loss = all.objective_gradient(theta_, k, draw_, gradient);
      EXPECT_NEAR(loss, all.local_losses(theta_)[k], 1e-6) << "a batch of all pairs";
      for (std::size_t i = 0; i < theta_.size(); ++i) {
        constexpr float kStep = 1e-2F;
        std::vector<float> up = theta_;
        std::vector<float> down = theta_;
        up[i] += kStep;
        down[i] -= kStep;
        const double slope = (all.local_losses(up)[k] - all.local_losses(down)[k]) / (up[i] - down[i]);
        EXPECT_NEAR(gradient[i], slope, 2e-4) << type << ", objective " << k << ", parameter " << i;
      }
    }
  }
}

TEST_F(DpoOracles, AtTheReferenceTheLossIsLogTwoAndNoPairIsTold) {
  const std::vector<float> zero(16);
  EXPECT_THAT(oracle().local_losses(zero), Each(DoubleNear(std::log(2), 1e-12)));
  ThreadPool pool(2);
  const auto figures = pair_figures({}, *first_.pairs, zero, pool);
  EXPECT_EQ(figures.at("accuracy"), 0.5);
  EXPECT_EQ(figures.at("margin"), 0);
}

TEST_F(DpoOracles, AStepAlongTheGradientRaisesMarginAndAccuracy) {
  ThreadPool pool(1);
  std::vector<float> theta(16);
  std::vector<float> gradient(16);
  for (int step = 0; step < 20; ++step) {
    oracle(3).objective_gradient(theta, 0, draw_, gradient);
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= gradient[i];
  }
  const auto figures = pair_figures({}, *first_.pairs, theta, pool);
  EXPECT_EQ(figures.at("accuracy"), 1);
  EXPECT_GT(figures.at("margin"), 0.05);
  EXPECT_NEAR(figures.at("margin"), figures.at("chosen_reward") - figures.at("rejected_reward"), 1e-12);
}

TEST_F(DpoOracles, DimensionsHaveMinibatchesOfTheirOwn) {
  const DpoOracle one = oracle(1);
  std::vector<double> losses(2);
  std::vector<float> rows(32);
  one.jacobian(theta_, draw_, losses, rows);
  std::vector<float> row(16);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(one.objective_gradient(theta_, k, draw_, row), losses[k]);
    EXPECT_TRUE(std::equal(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(16 * k)));
  }
  std::vector<double> weighted_losses(2);
  one.weighted_gradient(theta_, std::vector{0.25, 0.75}, draw_, weighted_losses, row);
  EXPECT_EQ(weighted_losses, losses);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(row[i], 0.25 * rows[i] + 0.75 * rows[16 + i], 1e-7);
  EXPECT_EQ(one.num_samples(), 5);
  // A pass has each of the three pairs once.
  double sum = 0;
  for (std::int64_t step = 0; step < 3; ++step) sum += one.objective_gradient(theta_, 0, {draw_.stream, step}, row);
  EXPECT_NEAR(sum / 3, one.local_losses(theta_)[0], 1e-6);
}

TEST_F(DpoOracles, PassesOverTheSamePairsHaveEqualMasks) {
  const DpoOracle one = oracle();
  std::vector<float> row(16);
  for (const std::size_t k : {0U, 0U, 1U}) one.objective_gradient(theta_, k, draw_, row);
  one.objective_gradient(theta_, 0, {draw_.stream, 1}, row);
  ASSERT_EQ(model_->masks.size(), 4U);
  EXPECT_EQ(model_->masks[0], model_->masks[1]);
  EXPECT_NE(model_->masks[0], model_->masks[2]);
  EXPECT_NE(model_->masks[0], model_->masks[3]);
}

TEST_F(DpoOracles, ADimensionWithoutPairsIsZero) {
  const DpoOracle one(model_, {first_, HeldPairs{second_.pairs, {}}}, {});
  std::vector<double> losses(2, 7);
  std::vector<float> rows(32, 7);
  one.jacobian(theta_, draw_, losses, rows);
  EXPECT_GT(losses[0], 0);
  EXPECT_EQ(losses[1], 0);
  EXPECT_THAT(std::vector<float>(rows.begin() + 16, rows.end()), Each(0.F));
  EXPECT_EQ(one.local_losses(theta_)[1], 0);
  EXPECT_THAT(([&] {
                DpoOracle(model_, {HeldPairs{first_.pairs, {}}}, {});
              }),
              ThrowsMessage<Error>(HasSubstr("preference pairs, found none")));
}

TEST(TokenPairs, ShareThePromptsTokensAndEndWhereTheModelEnds) {
  const ByteTokenizer bytes;
  const PairEncoding encoding{.end = ByteTokenizer::kEnd, .max_completion = 3};
  const TokenPair pair = encode_pair(bytes, "ab", "c", "defg", encoding, "f");
  EXPECT_EQ(pair.chosen.ids, (TokenIds{ByteTokenizer::kBeginning, 'a', 'b', 'c', ByteTokenizer::kEnd}));
  EXPECT_EQ(pair.rejected.ids, (TokenIds{ByteTokenizer::kBeginning, 'a', 'b', 'd', 'e', 'f'})) << "cut, and so without its end";
  EXPECT_EQ(pair.prompt_length(), 3U);
  EXPECT_EQ(pair.lengths().chosen, 2U);
  EXPECT_EQ(pair.lengths().rejected, 3U);
  EXPECT_EQ(encode_pair(bytes, "ab", "", "d", encoding, "f").chosen.completion_length, 1U) << "the end alone";
  EXPECT_THAT([&] { encode_pair(bytes, "ab", "", "d", {}, "f"); }, ThrowsMessage<Error>(HasSubstr("f: expected completions of at least")));
  EXPECT_THAT(([&] { encode_pair(bytes, "", "c", "d", {.add_special = false}, "f"); }),
              ThrowsMessage<Error>(HasSubstr("f: expected a prompt of at least one token")));
}

/// Cuts texts before capital letters, so that a piece may reach across the end of a prompt.
class CapitalTokenizer : public Tokenizer {
 public:
  TokenIds encode(std::string_view text, bool) const override {
    TokenIds ids;
    for (const char letter : text) {
      if (ids.empty() || (letter >= 'A' && letter <= 'Z')) ids.push_back(0);
      ids.back() = ids.back() * 31 + letter;
    }
    return ids;
  }
  std::string decode(std::span<const TokenId>, bool) const override { return {}; }
  std::size_t vocabulary_size() const override { return 1000; }
  std::optional<TokenId> id_of(std::string_view) const override { return {}; }
  std::optional<TokenId> beginning_of_sequence() const override { return {}; }
  std::optional<TokenId> end_of_sequence() const override { return {}; }
};

TEST(TokenPairs, APieceAcrossThePromptsEndBelongsToTheCompletions) {
  const CapitalTokenizer capitals;
  const TokenPair pair = encode_pair(capitals, "AbCd", "e", "F", {}, "f");
  EXPECT_EQ(pair.prompt_length(), 1U) << "Cde of the chosen text is one piece, so Cd is no prompt of it";
  EXPECT_EQ(pair.lengths().chosen, 1U);
  EXPECT_EQ(pair.lengths().rejected, 2U);
}

}  // namespace
}  // namespace paretofl
