// Gradients at a layer's activations. GPT-2 adds a bias to every token where a layer ends and behind its final norm: the
// derivative along a shift of all activations is that bias's gradient, which training all parameters knows.
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/language/trainable_decoder.h"
#include "tests/language/golden_decoder.h"

namespace paretofl {
namespace {

class GradientAtALayer : public testing::TestWithParam<std::int64_t> {};

TEST_P(GradientAtALayer, IsThatOfTheBiasAtItsPlace) {
  PARETOFL_NEEDS_GOLDEN_MODELS();
  const GoldenDecoder files("gpt2-a");
  const auto model = load_causal_lm(files.folder, {.rank = 2, .dropout = 0, .projections = {"c_attn"}}, {.dtype = "float64"});
  const auto whole = make_trainable_decoder(model->config(), DecoderHead::kLanguage, {.dtype = "float64"});
  std::vector<float> theta(whole->layout()->size());
  whole->load(files.folder, Random({1, 0, 0}, "head"), theta);
  const std::vector<TokenIds> texts = {{5, 9, 12, 40, 7}, {3, 3, 90, 14, 61, 22, 100, 8}};
  std::vector<float> gradient(theta.size());
  whole->next_token_loss(texts, theta, gradient);

  std::vector<TokenSequence> sequences;
  for (const TokenIds& ids : texts) sequences.push_back({ids, ids.size() - 1});
  std::vector<float> adapter(model->adapter_layout()->size());
  model->initialize_adapter(Random({1, 0, 0}, "adapter"), adapter);
  const auto width = static_cast<std::size_t>(model->config().hidden_size);
  std::vector<double> rows(2 * width);
  std::vector<float> jacobian(adapter.size());
  const auto losses = [](const CompletionTokens& tokens, std::span<double> gradients) {
    const std::size_t n = tokens.logprobs.size();
    ASSERT_EQ(gradients.size(), 3 * n);
    std::fill_n(gradients.begin(), n, 1.0);  // the adapter's loss is another one
    std::fill_n(gradients.begin() + static_cast<std::ptrdiff_t>(n), n, -1.0);
    std::fill_n(gradients.begin() + static_cast<std::ptrdiff_t>(2 * n), n, -0.5);
  };
  model->jacobian(sequences, adapter, nullptr, losses, jacobian, {.layer = GetParam(), .rows = rows});

  const std::string name = GetParam() < 0 ? "ln_f.bias" : "h." + std::to_string(GetParam()) + ".mlp.c_proj.bias";
  const Slice* bias = nullptr;
  for (const Slice& slice : whole->layout()->slices()) bias = slice.name.ends_with(name) ? &slice : bias;
  ASSERT_NE(bias, nullptr) << name;
  ASSERT_EQ(bias->range.size(), width);
  double largest = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const double expected = gradient[bias->range.begin + i];
    EXPECT_NEAR(rows[i], expected, 1e-5 * (1 + std::abs(expected))) << i;
    EXPECT_NEAR(rows[width + i], expected / 2, 1e-5 * (1 + std::abs(expected))) << i;
    largest = std::max(largest, std::abs(expected));
  }
  EXPECT_GT(largest, 0.1);

  // What is asked for beside it leaves the adapter's gradient alone.
  std::vector<float> alone(adapter.size());
  model->jacobian(
      sequences, adapter, nullptr,
      [](const CompletionTokens&, std::span<double> gradients) { std::fill(gradients.begin(), gradients.end(), 1.0); }, alone);
  EXPECT_EQ(jacobian, alone);
}

INSTANTIATE_TEST_SUITE_P(Layers, GradientAtALayer, testing::Values(-1, 0, 1));

TEST(ActivationGradient, OfALayerThatIsNotThereIsAnError) {
  PARETOFL_NEEDS_GOLDEN_MODELS();
  const GoldenDecoder files("gpt2-a");
  const auto model = load_causal_lm(files.folder, {.rank = 2, .projections = {"c_attn"}});
  std::vector<float> adapter(model->adapter_layout()->size());
  std::vector<float> jacobian(adapter.size());
  std::vector<double> rows(static_cast<std::size_t>(model->config().hidden_size));
  const std::vector<TokenSequence> sequences = {{{1, 2}, 1}};
  const auto none = [](const CompletionTokens&, std::span<double>) {};
  EXPECT_THROW(model->jacobian(sequences, adapter, nullptr, none, jacobian, {.layer = 2, .rows = rows}), Error);
  EXPECT_THROW(model->jacobian(sequences, adapter, nullptr, none, jacobian, {.layer = -2, .rows = rows}), Error);
  EXPECT_THROW(model->jacobian(sequences, adapter, nullptr, none, jacobian, {.layer = 0, .rows = std::span(rows).first(5)}), Error);
}

}  // namespace
}  // namespace paretofl
