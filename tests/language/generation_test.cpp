#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <thread>

#include "paretofl/core/error.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

constexpr std::size_t kWidth = 24;

class Generation : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string type = GetParam();
    model_ = random_causal_lm(tiny_config(type), Random({3}, "model"), lora(type));
    adapter_ = random_adapter(*model_);
  }

  // Qwen 3's has ranks and alphas by modules.
  static LoraOptions lora(const std::string& type) {
    LoraOptions lora{.rank = 2, .alpha = 3, .projections = all_projections(type)};
    if (type != "qwen3") return lora;
    lora.rank_stabilized = true;
    lora.rank_pattern = {{"layers.1.mlp.up_proj", 5}, {"q_proj", 1}};
    lora.alpha_pattern = {{"(k|v)_proj", 1}};
    return lora;
  }

  std::vector<Completion> generate(std::span<const TokenIds> prompts, const Sampling& sampling, GenerationExtras extras = {}) const {
    return model_->generate(prompts, adapter_, sampling, extras, Random({11}, "generation"));
  }

  std::shared_ptr<const CausalLm> model_;
  std::vector<float> adapter_;
  std::vector<TokenIds> prompts_ = {random_tokens(7, 1), random_tokens(1, 2), random_tokens(7, 1), random_tokens(12, 3)};
};

TEST_P(Generation, ReportsTemperedLogprobsWhereAskedTo) {
  const Sampling sampling{.max_new_tokens = 6, .temperature = 0.7, .stop = {}};
  const auto plain = generate(prompts_, sampling);
  const auto completions = generate(prompts_, sampling, {.reference_logprobs = true, .tempered = true});
  std::vector<TokenSequence> sequences;
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    EXPECT_EQ(completions[b].ids, plain[b].ids);
    TokenIds ids = prompts_[b];
    ids.insert(ids.end(), completions[b].ids.begin(), completions[b].ids.end());
    sequences.push_back({.ids = std::move(ids), .completion_length = completions[b].ids.size()});
  }
  const auto policy = model_->logprobs(sequences, adapter_, 0.7);
  const auto reference = model_->logprobs(sequences, {}, 0.7);
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    EXPECT_THAT(completions[b].logprobs, testing::Pointwise(testing::FloatNear(4e-5F), policy[b]));
    EXPECT_THAT(completions[b].reference_logprobs, testing::Pointwise(testing::FloatNear(4e-5F), reference[b]));
  }
}

TEST_P(Generation, ReportsTheLogprobsAndHiddenStatesOfBothPolicies) {
  const auto completions =
      generate(prompts_, {.max_new_tokens = 10, .temperature = 1.3, .stop = {}}, {.reference_logprobs = true, .hidden = true});
  std::vector<TokenSequence> sequences;
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    TokenIds ids = prompts_[b];
    ids.insert(ids.end(), completions[b].ids.begin(), completions[b].ids.end());
    sequences.push_back({.ids = std::move(ids), .completion_length = completions[b].ids.size()});
  }
  const auto policy = model_->logprobs(sequences, adapter_);
  const auto reference = model_->logprobs(sequences, {});
  std::vector<float> hidden;
  std::vector<float> gradient(adapter_.size());
  model_->jacobian(
      sequences, adapter_, nullptr,
      [&](const CompletionTokens& tokens, std::span<double>) { hidden.assign(tokens.hidden.begin(), tokens.hidden.end()); }, gradient);
  auto state = hidden.begin();
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    EXPECT_EQ(completions[b].ids.size(), 10);
    EXPECT_FALSE(completions[b].stopped);
    EXPECT_THAT(completions[b].logprobs, testing::Pointwise(testing::FloatNear(2e-5F), policy[b]));
    EXPECT_THAT(completions[b].reference_logprobs, testing::Pointwise(testing::FloatNear(2e-5F), reference[b]));
    EXPECT_NE(policy[b], reference[b]);
    ASSERT_EQ(completions[b].hidden.size(), 10 * kWidth);
    for (const float x : completions[b].hidden) ASSERT_NEAR(x, *state++, 1e-4);
  }
}

TEST_P(Generation, ForwardPassesReportTheHiddenStatesOfAllSequencesInOrder) {
  std::vector<TokenSequence> sequences;  // more tokens than are computed at once
  for (std::uint64_t b = 0; b < 50; ++b) sequences.push_back({.ids = random_tokens(60, b), .completion_length = b % 3 + 1});
  std::vector<float> hidden = {1, 2, 3};  // replaced
  const auto logprobs = model_->logprobs(sequences, adapter_, 1, &hidden);
  EXPECT_EQ(logprobs, model_->logprobs(sequences, adapter_));
  std::vector<float> in_training;
  std::vector<float> gradient(adapter_.size());
  model_->jacobian(
      sequences, adapter_, nullptr,
      [&](const CompletionTokens& tokens, std::span<double>) { in_training.assign(tokens.hidden.begin(), tokens.hidden.end()); }, gradient);
  EXPECT_THAT(hidden, testing::Pointwise(testing::FloatNear(1e-4F), in_training));
}

TEST_P(Generation, OfARowDoesNotDependOnTheOthers) {
  const Sampling sampling{.max_new_tokens = 12, .temperature = 0, .stop = {}};
  const auto together = generate(prompts_, sampling);
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    const auto alone = generate({&prompts_[b], 1}, sampling);
    EXPECT_EQ(alone[0].ids, together[b].ids);
    EXPECT_THAT(alone[0].logprobs, testing::Pointwise(testing::FloatNear(2e-5F), together[b].logprobs));
  }
}

TEST_P(Generation, DrawsEachCompletionFromAStreamOfItsOwn) {
  const std::vector<TokenIds> same(8, prompts_[0]);
  const Sampling sampling{.max_new_tokens = 10, .stop = {}};
  std::set<TokenIds> distinct;
  for (const Completion& completion : generate(same, sampling)) distinct.insert(completion.ids);
  EXPECT_GT(distinct.size(), 6);
  // The second completion of two is the second of eight, whatever the first prompt is.
  const std::vector<TokenIds> two = {prompts_[1], prompts_[0]};
  EXPECT_EQ(generate(two, sampling)[1].ids, generate(same, sampling)[1].ids);
}

TEST_P(Generation, EndsWithAStopTokenWhileOthersGoOn) {
  const auto whole = generate(prompts_, {.max_new_tokens = 16, .stop = {}});
  const TokenId stop = whole[1].ids[2];
  const auto stopped = generate(prompts_, {.max_new_tokens = 16, .stop = {stop}}, {.reference_logprobs = true});
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    const auto first = std::find(whole[b].ids.begin(), whole[b].ids.end(), stop);
    const bool found = first != whole[b].ids.end();
    EXPECT_EQ(stopped[b].ids, TokenIds(whole[b].ids.begin(), found ? first + 1 : first)) << b;
    EXPECT_EQ(stopped[b].stopped, found);
    EXPECT_EQ(stopped[b].logprobs.size(), stopped[b].ids.size());
    EXPECT_EQ(stopped[b].reference_logprobs.size(), stopped[b].ids.size());
  }
}

TEST_P(Generation, HasTheSameBitsOnAnyThread) {
  const Sampling sampling{.max_new_tokens = 10, .stop = {}};
  const auto here = generate(prompts_, sampling);
  std::vector<std::vector<Completion>> there(2);
  {
    std::jthread first([&] { there[0] = generate(prompts_, sampling); });
    std::jthread second([&] { there[1] = generate(prompts_, sampling); });
  }
  for (const auto& completions : there) {
    for (std::size_t b = 0; b < prompts_.size(); ++b) {
      EXPECT_EQ(completions[b].ids, here[b].ids);
      EXPECT_EQ(completions[b].logprobs, here[b].logprobs);
    }
  }
}

TEST_P(Generation, AgreesInDoublePrecision) {
  const std::string type = GetParam();
  const auto exact = random_causal_lm(tiny_config(type), Random({3}, "model"), lora(type), {.dtype = "float64"});
  const Sampling sampling{.max_new_tokens = 12, .temperature = 0, .stop = {}};
  const auto found = generate(prompts_, sampling);
  const auto expected = exact->generate(prompts_, adapter_, sampling, {}, Random({11}, "generation"));
  for (std::size_t b = 0; b < prompts_.size(); ++b) {
    EXPECT_EQ(found[b].ids, expected[b].ids);
    EXPECT_THAT(found[b].logprobs, testing::Pointwise(testing::FloatNear(3e-5F), expected[b].logprobs));
  }
}

TEST_P(Generation, OfSharedPromptsGoesOnWhenOthersAreDone) {
  const std::string type = GetParam();
  const auto exact = random_causal_lm(tiny_config(type), Random({3}, "model"), lora(type), {.dtype = "float64"});
  const std::vector<TokenIds> prompts = {prompts_[1], prompts_[0], prompts_[1], prompts_[3], prompts_[0], prompts_[0]};
  for (const CausalLm* model : {model_.get(), exact.get()}) {
    const auto run = [&](std::span<const TokenIds> of, const std::vector<TokenId>& stop) {
      return model->generate(of, adapter_, {.max_new_tokens = 12, .temperature = 0, .stop = stop},
                             {.reference_logprobs = true, .hidden = true}, Random({11}, "generation"));
    };
    // A token of the first prompt's completion that the second's lacks, so that all of the first end early.
    const auto first = run({&prompts[0], 1}, {})[0].ids;
    const auto second = run({&prompts[1], 1}, {})[0].ids;
    const auto stop = std::find_if(first.begin(), first.end(), [&](TokenId id) { return std::ranges::count(second, id) == 0; });
    ASSERT_TRUE(stop != first.end());
    const auto together = run(prompts, {*stop});
    EXPECT_EQ(together[0].ids.back(), *stop);
    EXPECT_EQ(together[1].ids.size(), 12U);
    for (std::size_t b = 0; b < prompts.size(); ++b) {
      const auto alone = run({&prompts[b], 1}, {*stop})[0];
      EXPECT_EQ(together[b].ids, alone.ids) << b;
      EXPECT_THAT(together[b].logprobs, testing::Pointwise(testing::FloatNear(2e-5F), alone.logprobs));
      EXPECT_THAT(together[b].reference_logprobs, testing::Pointwise(testing::FloatNear(2e-5F), alone.reference_logprobs));
      EXPECT_THAT(together[b].hidden, testing::Pointwise(testing::FloatNear(1e-4F), alone.hidden));
    }
  }
}

TEST_P(Generation, AFreshAdapterChangesNothing) {
  std::vector<float> fresh(adapter_.size(), 5);
  model_->initialize_adapter(Random({1}, "adapter"), fresh);
  const auto completions =
      model_->generate(prompts_, fresh, {.max_new_tokens = 5, .stop = {}}, {.reference_logprobs = true}, Random({1}, "g"));
  for (const Completion& completion : completions)
    EXPECT_THAT(completion.logprobs, testing::Pointwise(testing::FloatNear(1e-5F), completion.reference_logprobs));
}

TEST_P(Generation, RefusesBadInput) {
  const Sampling sampling{.max_new_tokens = 4, .stop = {}};
  const auto refuses = [&](const TokenIds& prompt, const Sampling& how) { EXPECT_THROW(generate({&prompt, 1}, how), Error); };
  refuses({}, sampling);
  refuses({50}, sampling);
  refuses({-1}, sampling);
  refuses(TokenIds(61, 1), sampling);  // of 64 positions
  refuses({1}, {.max_new_tokens = 0, .stop = {}});
  refuses({1}, {.max_new_tokens = std::numeric_limits<std::int64_t>::max(), .stop = {}});
  EXPECT_THROW(model_->generate(prompts_, std::span(adapter_).first(3), sampling, {}, Random({1}, "g")), Error);
  EXPECT_THROW(model_->logits(TokenIds(65, 1), adapter_), Error);
  EXPECT_TRUE(generate({}, sampling).empty());
}

INSTANTIATE_TEST_SUITE_P(Decoders, Generation, kDecoderFamilies);

// The frequencies are those of the sequence's length, whatever other sequences are computed beside it.
TEST(LongropeGeneration, StaysOnOneSideOfTheOriginalLength) {
  LanguageModelConfig config = tiny_config("phi3");
  config.windows = {};
  config.rope_scaling->original_max_position_embeddings = 12;
  const auto model = random_causal_lm(config, Random({3}, "model"), {.rank = 2, .projections = {"all-linear"}});
  const std::vector<float> adapter = random_adapter(*model);
  const std::vector<TokenIds> prompts = {random_tokens(6, 1), random_tokens(14, 2)};
  const Sampling sampling{.max_new_tokens = 6, .stop = {}};
  const auto completions = model->generate(prompts, adapter, sampling, {}, Random({1}, "g"));
  std::vector<TokenSequence> sequences;
  for (std::size_t b = 0; b < 2; ++b) {
    sequences.push_back({.ids = prompts[b], .completion_length = 6});
    sequences[b].ids.insert(sequences[b].ids.end(), completions[b].ids.begin(), completions[b].ids.end());
  }
  const auto logprobs = model->logprobs(sequences, adapter);
  for (std::size_t b = 0; b < 2; ++b) {
    // As near as drawn tokens and a forward pass are above: sums in another order, which differ between processors.
    EXPECT_THAT(completions[b].logprobs, testing::Pointwise(testing::FloatNear(4e-5F), logprobs[b])) << b;
    EXPECT_THAT(model->logprobs({&sequences[b], 1}, adapter)[0], testing::Pointwise(testing::FloatNear(1e-5F), logprobs[b])) << b;
  }
  // A longer sequence has other frequencies from its first token on.
  const TokenIds longer = random_tokens(13, 5);
  const std::vector<float> within = model->logits(std::span(longer).first(12), adapter);
  const std::vector<float> beyond = model->logits(longer, adapter);
  EXPECT_GT(std::abs(within[50] - beyond[50]), 1e-3) << "after the second token";

  const TokenIds crossing = random_tokens(7, 3);
  EXPECT_THAT(
      [&] {
        model->generate({&crossing, 1}, adapter, sampling, {}, Random({1}, "g"));
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("expected a prompt of more than 12 tokens, or one of at most as many with its "
                                                       "completion, since a longrope has other frequencies beyond them, found 7")));
}

}  // namespace
}  // namespace paretofl
