#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/language/bytes_held.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

constexpr std::size_t kLossCount = 2;

// A loss and two derivatives by activations, of different sums of log-probabilities, whose slopes are no constants.
void sums(const CompletionTokens& tokens, std::span<double> gradients) {
  const std::size_t count = tokens.logprobs.size();
  for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] = std::cos(static_cast<double>(i) + tokens.logprobs[i % count]);
}

class GradientCheckpointing : public testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const CausalLm> model(bool checkpointing, const std::vector<std::string>& projections) const {
    return random_causal_lm(tiny_config(GetParam()), Random({3}, "model"),
                            {.rank = 2, .alpha = 3, .dropout = 0.3, .projections = projections}, {.gradient_checkpointing = checkpointing});
  }

  // The gradients and, behind them, the derivatives by the activations of a layer.
  std::vector<double> gradients(bool checkpointing, const std::vector<std::string>& projections, std::int64_t layer) const {
    const std::vector<TokenSequence> sequences = {
        {random_tokens(9, 1), 4}, {random_tokens(6, 2), 5}, {random_tokens(6, 3), 1}, {random_tokens(3, 4), 0}};
    const auto model = this->model(checkpointing, projections);
    const std::vector<float> adapter = random_adapter(*model);
    const Random dropout({5}, "dropout");
    const std::vector<double> slopes(10, 0.3);
    std::vector<float> jacobian(kLossCount * adapter.size());
    std::vector<double> activations(2 * 24);
    model->jacobian(sequences, adapter, &dropout, sums, jacobian, {layer, activations},
                    {.temperature = 0.7, .entropies = true, .entropy_slopes = slopes});
    std::vector<double> all(jacobian.begin(), jacobian.end());
    all.insert(all.end(), activations.begin(), activations.end());
    return all;
  }
};

TEST_P(GradientCheckpointing, GivesTheSameBits) {
  const auto all = all_projections(GetParam());
  for (const std::int64_t layer : {-1, 0, 1}) {
    const std::vector<double> expected = gradients(false, all, layer);
    EXPECT_GT(std::ranges::count_if(expected, [](double x) { return x != 0; }), expected.size() / 2);
    EXPECT_THAT(gradients(true, all, layer), testing::ElementsAreArray(expected));
  }
}

TEST_P(GradientCheckpointing, GivesTheSameBitsWhereLayersHaveNoAdapter) {
  for (const std::string prefix : {"0.", "1."}) {
    std::vector<std::string> projections;
    const std::string family = GetParam();
    const std::string room = family == "gpt2" ? "attn." : "self_attn.";
    projections.push_back(prefix + room + all_projections(family).front());
    EXPECT_THAT(gradients(true, projections, 0), testing::ElementsAreArray(gradients(false, projections, 0))) << prefix;
  }
}

INSTANTIATE_TEST_SUITE_P(Decoders, GradientCheckpointing, kDecoderFamilies);

TEST(GradientCheckpointingMemory, HoldsTheInputsOfLayersOnly) {
  if (!heap_is_counted()) GTEST_SKIP() << "a sanitizer's allocator, which does not count";
  LanguageModelConfig config = tiny_config("llama");
  config.num_hidden_layers = 16;
  config.max_position_embeddings = 512;
  const std::vector<TokenSequence> sequences = {{random_tokens(500, 1), 10}, {random_tokens(500, 2), 10}};
  const std::size_t inputs = 16 * 1000 * 24 * sizeof(float);
  EXPECT_GT(bytes_held(config, {.gradient_checkpointing = true}, sequences), inputs);
  EXPECT_LT(bytes_held(config, {.gradient_checkpointing = true}, sequences), 2 * inputs);
  EXPECT_GT(bytes_held(config, {}, sequences), 8 * inputs);
}

}  // namespace
}  // namespace paretofl
