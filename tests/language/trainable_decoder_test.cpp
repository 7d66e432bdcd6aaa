#include "paretofl/language/trainable_decoder.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

LanguageModelConfig tiny(const std::string& type, bool tied) {
  LanguageModelConfig config;
  config.model_type = type;
  config.vocab_size = 19;
  config.hidden_size = 8;
  config.intermediate_size = 12;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 2;
  config.num_key_value_heads = type == "gpt2" ? 2 : 1;
  config.head_dim = 4;
  config.max_position_embeddings = 16;
  config.tie_word_embeddings = tied;
  config.attention_bias = type != "llama";
  config.hidden_act = type == "gpt2" ? "gelu_new" : "silu";
  config.initializer_range = 0.3;
  if (type == "qwen3") {
    config.qk_norm = true;
    config.windows = {0, 3};
  }
  if (type == "gemma2") {
    config.hidden_act = "gelu_new";
    config.norms_around = true;
    config.norm_offset = 1;
    config.embedding_scale = 2.8;
    config.attention_cap = 1.5;
    config.logit_cap = 2;
    config.windows = {4, 0};
    config.rotated = {true, false};
  }
  return config;
}

const std::vector<TokenIds> kSequences = {{1, 5, 5, 2, 18, 0, 7}, {3, 4}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6}};

std::vector<float> fresh(const TrainableDecoder& model) {
  std::vector<float> theta(model.layout()->size());
  model.initialize(Random({.seed = 3}, "theta"), theta);
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] += 0.01F * static_cast<float>(i % 7);  // no zero biases
  return theta;
}

// Compares a gradient with central differences along every slice, in a direction of its own. Steps are exact in float32.
void expect_derivative(const Layout& layout, std::vector<float> theta, const std::function<double(std::span<const float>)>& loss,
                       std::span<const float> gradient) {
  constexpr float kStep = 1.0F / 65536;
  for (float& value : theta) value = std::round(value * 4096) / 4096;
  for (const Slice& slice : layout.slices()) {
    Random random({.seed = 7}, slice.name);
    std::vector<float> ahead = theta, behind = theta;
    double expected = 0;
    for (std::size_t i = slice.range.begin; i < slice.range.end; ++i) {
      const float sign = random.uniform() < 0.5 ? -1 : 1;
      ahead[i] += sign * kStep;
      behind[i] -= sign * kStep;
      expected += sign * gradient[i];
    }
    const double found = (loss(ahead) - loss(behind)) / (2 * kStep);
    EXPECT_NEAR(found, expected, 1e-4 * (1 + std::abs(expected))) << slice.name;
  }
}

std::vector<float> rounded(std::vector<float> theta) {
  for (float& value : theta) value = std::round(value * 4096) / 4096;
  return theta;
}

TEST(TrainableDecoder, TheWholeModelsGradientIsThatOfFiniteDifferences) {
  for (const auto& [type, tied] : {std::pair<std::string, bool>{"llama", true},
                                   {"llama", false},
                                   {"qwen2", true},
                                   {"gpt2", true},
                                   {"qwen3", false},
                                   {"gemma2", true}}) {
    const auto model = make_trainable_decoder(tiny(type, tied), DecoderHead::kLanguage, {.dtype = "float64"});
    const std::vector<float> theta = rounded(fresh(*model));
    std::vector<float> gradient(theta.size(), NAN);
    const double loss = model->next_token_loss(kSequences, theta, gradient);
    EXPECT_NEAR(loss / 22, std::log(19), 1.5) << type;
    EXPECT_EQ(model->next_token_loss(kSequences, theta, {}), loss);
    expect_derivative(
        *model->layout(), theta, [&](std::span<const float> at) { return model->next_token_loss(kSequences, at, {}); }, gradient);
  }
}

// Which differs from float64 not in digits alone: it has kernels of its own.
TEST(TrainableDecoder, TheGradientInFloat32IsThatInFloat64) {
  for (const std::string type : {"llama", "qwen2", "gpt2", "qwen3", "gemma2"}) {
    const auto model = make_trainable_decoder(tiny(type, true), DecoderHead::kLanguage, {.dtype = "float32"});
    const std::vector<float> theta = fresh(*model);
    std::vector<float> gradient(theta.size(), NAN), expected(theta.size(), NAN);
    const double loss = model->next_token_loss(kSequences, theta, gradient);
    EXPECT_EQ(model->next_token_loss(kSequences, theta, {}), loss) << type;
    make_trainable_decoder(tiny(type, true), DecoderHead::kLanguage, {.dtype = "float64"})->next_token_loss(kSequences, theta, expected);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(gradient[i], expected[i], 1e-4 * (1 + std::abs(expected[i]))) << type << i;
  }
}

TEST(TrainableDecoder, TheScoresGradientIsThatOfFiniteDifferences) {
  const auto square = [](std::span<const double> scores) {
    return std::inner_product(scores.begin(), scores.end(), scores.begin(), 0.0) / 2;
  };
  for (const std::string type : {"llama", "gpt2", "gemma2"}) {
    const auto model = make_trainable_decoder(tiny(type, true), DecoderHead::kScore, {.dtype = "float64"});
    const std::vector<float> theta = rounded(fresh(*model));
    std::vector<float> gradient(theta.size(), NAN);
    const auto losses = [](std::span<const double> scores, std::span<double> slopes) {
      std::copy(scores.begin(), scores.end(), slopes.begin());
    };
    EXPECT_EQ(model->scores(kSequences, theta, losses, gradient), model->scores(kSequences, theta, {}, {}));
    expect_derivative(
        *model->layout(), theta, [&](std::span<const float> at) { return square(model->scores(kSequences, at, {}, {})); }, gradient);
  }
}

TEST(TrainableDecoder, ALossIsTheSumOverItsSequences) {
  const auto model = make_trainable_decoder(tiny("llama", true), DecoderHead::kLanguage);
  const std::vector<float> theta = fresh(*model);
  double sum = 0;
  for (const TokenIds& sequence : kSequences) sum += model->next_token_loss({&sequence, 1}, theta, {});
  EXPECT_NEAR(model->next_token_loss(kSequences, theta, {}), sum, 1e-4);
}

TEST(TrainableDecoder, RefusesMisuse) {
  const auto model = make_trainable_decoder(tiny("llama", true), DecoderHead::kLanguage);
  std::vector<float> theta = fresh(*model);
  EXPECT_THROW(model->next_token_loss(std::vector<TokenIds>{{1, 19}}, theta, {}), Error);
  EXPECT_THROW(model->next_token_loss(std::vector<TokenIds>{TokenIds(17, 1)}, theta, {}), Error);
  EXPECT_THROW(model->next_token_loss(std::vector<TokenIds>{{}}, theta, {}), Error);
  EXPECT_THROW(model->scores(kSequences, theta, {}, {}), Error);
  theta.pop_back();
  EXPECT_THROW(model->next_token_loss(kSequences, theta, {}), Error);
  EXPECT_THROW(make_trainable_decoder(tiny("deberta-v2", true), DecoderHead::kLanguage), Error);
}

}  // namespace
}  // namespace paretofl
