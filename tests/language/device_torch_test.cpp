#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "paretofl/core/error.h"
#include "paretofl/language/causal_lm_torch.h"
#include "paretofl/language/checkpoint_torch.h"
#include "paretofl/language/cuda_torch.h"
#include "paretofl/language/decoder_ops_torch.h"
#include "paretofl/language/device_draws_torch.h"
#include "paretofl/language/lora_dropout_torch.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

// What devices compute with, on the CPU, whose LibTorch has the same operations, and on a GPU where there is one.
class Device : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (device_ == "cpu") return;
    try {
      expect_cuda_device(device_, 0);
    } catch (const Error& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

  at::TensorOptions options(at::ScalarType type) const { return at::TensorOptions(at::Device(device_)).dtype(type); }

  at::Tensor normal(at::IntArrayRef shape, const char* name, at::ScalarType type) const {
    Random random({17}, name);
    const at::Tensor tensor = at::empty(shape, at::kDouble);
    for (std::int64_t i = 0; i < tensor.numel(); ++i) tensor.data_ptr<double>()[i] = random.normal();
    return tensor.to(options(type));
  }

  std::string device_ = GetParam();
};

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
  return (a.to(at::kCPU, at::kDouble) - b.to(at::kCPU, at::kDouble)).abs().max().item<double>();
}

TEST_P(Device, DrawsWhatTheStreamDraws) {
  const at::Tensor like = at::empty({0}, options(at::kFloat));
  for (const std::int64_t count : {1, 3, 4, 5, 1000, 40003}) {
    Random stream = Random({.seed = 3 + (std::uint64_t{0xfedcba98} << 32), .round = 7, .client = kServerStream}, "masks").substream("x", 9);
    const at::Tensor drawn = device_draws(stream, count, like).to(at::kCPU).contiguous();
    ASSERT_EQ(drawn.numel(), count);
    for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(drawn.data_ptr<std::int64_t>()[i], std::int64_t{stream()}) << i;
  }
}

TEST_P(Device, DropsOutWhereTheStreamDrawsLittle) {
  Random stream({5}, "dropout");
  const double probability = 0.3;
  std::vector<float> factors(37 * 19);
  const Random fresh = stream;
  for (float& factor : factors)
    factor = std::ldexp(static_cast<double>(stream()), -32) < probability ? 0 : static_cast<float>(1 / (1 - probability));
  const at::Tensor expected = at::from_blob(factors.data(), {37, 19});
  EXPECT_NEAR(expected.eq(0).to(at::kDouble).mean().item<double>(), probability, 0.06);
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16}) {
    const at::Tensor x = normal({37, 19}, "x", type);
    const at::Tensor found = drop_out(x, probability, fresh).to(at::kCPU);
    EXPECT_EQ(found.scalar_type(), type);
    EXPECT_TRUE(found.equal(x.to(at::kCPU) * expected.to(type)));
  }
}

TEST_P(Device, FusedAttentionIsThatByScores) {
  for (const std::vector<std::int64_t>& lengths : {std::vector<std::int64_t>{5, 5, 1, 33, 8}, {9, 9, 9}}) {
    const std::int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    for (const auto& [type, tolerance] : {std::pair{at::kDouble, 1e-12}, {at::kFloat, 2e-5}, {at::kBFloat16, 6e-2}}) {
      for (const std::int64_t pairs : {1, 2, 4}) {
        std::vector<at::Tensor> inputs = {normal({tokens, 4, 16}, "q", type), normal({tokens, pairs, 16}, "k", type),
                                          normal({tokens, pairs, 16}, "v", type)};
        for (at::Tensor& input : inputs) input.set_requires_grad(true);
        const at::Tensor slopes = normal({tokens, 4 * 16}, "slopes", type);
        const AttentionRule rule{.window = pairs == 2 ? 4 : 0};
        const at::Tensor fused = fused_attention(inputs[0], inputs[1], inputs[2], lengths, rule);
        const at::Tensor scored = scored_attention(inputs[0], inputs[1], inputs[2], lengths, rule);
        ASSERT_EQ(fused.sizes(), scored.sizes());
        EXPECT_LT(largest_difference(fused, scored), tolerance);
        const auto by_fused = torch::autograd::grad({fused}, inputs, {slopes});
        const auto by_scored = torch::autograd::grad({scored}, inputs, {slopes});
        for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_LT(largest_difference(by_fused[i], by_scored[i]), 4 * tolerance) << i;
      }
    }
  }
}

TEST_P(Device, AttentionFollowsItsRule) {
  const std::vector<std::int64_t> lengths = {7, 1, 12};
  for (const AttentionRule& rule : {AttentionRule{}, {.window = 1}, {.window = 5}, {.window = 30}, {.cap = 0.7}, {.window = 3, .cap = 2}}) {
    for (const auto& [type, tolerance] : {std::pair{at::kDouble, 1e-12}, {at::kFloat, 1e-5}}) {
      std::vector<at::Tensor> inputs = {normal({20, 4, 6}, "q", type), normal({20, 2, 6}, "k", type), normal({20, 2, 6}, "v", type)};
      for (at::Tensor& input : inputs) input.set_requires_grad(true);
      const at::Tensor slopes = normal({20, 24}, "slopes", type);
      const at::Tensor found = causal_attention(inputs[0], inputs[1], inputs[2], lengths, rule);
      // Each token by itself, from what it sees.
      std::vector<at::Tensor> rows;
      for (std::int64_t first = 0, s = 0; s < 3; first += lengths[static_cast<std::size_t>(s++)]) {
        for (std::int64_t t = first; t < first + lengths[static_cast<std::size_t>(s)]; ++t) {
          const std::int64_t begin = rule.window == 0 ? first : std::max(first, t + 1 - rule.window);
          for (std::int64_t h = 0; h < 4; ++h) {
            const auto seen = [&](std::size_t i) { return inputs[i].narrow(0, begin, t + 1 - begin).select(1, h / 2); };
            at::Tensor scores = at::mv(seen(1), inputs[0].select(0, t).select(0, h)) / std::sqrt(6.0);
            if (rule.cap > 0) scores = rule.cap * at::tanh(scores / rule.cap);
            rows.push_back(at::matmul(at::softmax(scores, 0), seen(2)));
          }
        }
      }
      const at::Tensor expected = at::cat(rows).view({20, 24});
      EXPECT_LT(largest_difference(found, expected), tolerance);
      const auto by_found = torch::autograd::grad({found}, inputs, {slopes});
      const auto by_expected = torch::autograd::grad({expected}, inputs, {slopes});
      for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(largest_difference(by_found[i], by_expected[i]), 4 * tolerance) << i;
    }
  }
}

// A model that computes in bfloat16, which load_causal_lm makes on devices only, beside one of the same numbers in float64.
class DeviceDecoder : public Device {
 protected:
  std::shared_ptr<const CausalLm> model(const std::string& family, at::ScalarType type) const {
    const LanguageModelConfig config = tiny_config(family);
    const TensorLookup fresh = random_tensors(config, Random({3}, "model"), {});
    const auto placed = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
      return fresh(name, shape).to(at::kBFloat16).to(options(type));
    };
    const LoraOptions lora{.rank = 2, .alpha = 3, .dropout = 0.2, .projections = all_projections(family)};
    return std::make_shared<TorchCausalLm>(config, lora, make_decoder_weights(config, placed));
  }

  std::vector<TokenSequence> sequences_ = {{random_tokens(9, 1), 4}, {random_tokens(6, 2), 5}, {random_tokens(37, 5), 20}};
};

double cosine(std::span<const float> a, std::span<const float> b) {
  const auto dot = [](std::span<const float> x, std::span<const float> y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

// Their mean, since the log-probability of a single token can move twenty times as much as those beside it where a rounding is amplified,
// and which one that is depends on the processor.
float mean_difference(std::span<const float> a, std::span<const float> b) {
  EXPECT_EQ(a.size(), b.size());
  float sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<float>(a.size());
}

TEST_P(DeviceDecoder, InBfloat16IsNearThatInFloat64) {
  for (const char* family : {"llama", "qwen2", "gpt2", "qwen3", "mistral", "smollm3", "phi3", "gemma", "gemma2", "gemma3_text"}) {
    const auto narrow = model(family, at::kBFloat16);
    const auto wide = model(family, at::kDouble);
    const std::vector<float> adapter = random_adapter(*narrow);
    const auto found = narrow->logprobs(sequences_, adapter);
    const auto expected = wide->logprobs(sequences_, adapter);
    for (std::size_t s = 0; s < found.size(); ++s) {
      EXPECT_LT(mean_difference(found[s], expected[s]), 0.1F) << family;
      EXPECT_NE(found[s], expected[s]);
    }
    const Random dropout({5}, "dropout");
    const auto losses = [](const CompletionTokens& tokens, std::span<double> gradients) {
      const std::size_t count = tokens.logprobs.size();
      for (std::size_t n = 0; n < count; ++n) gradients[n] = gradients[count + count - 1 - n] = static_cast<double>(n + 1);
    };
    const std::size_t size = adapter.size();
    std::vector<float> rows(2 * size), wide_rows(2 * size), again(2 * size);
    narrow->jacobian(sequences_, adapter, &dropout, losses, rows);
    narrow->jacobian(sequences_, adapter, &dropout, losses, again);
    wide->jacobian(sequences_, adapter, &dropout, losses, wide_rows);
    EXPECT_EQ(rows, again);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_GT(cosine(std::span(rows).subspan(k * size, size), std::span(wide_rows).subspan(k * size, size)), 0.99) << family;
    }
  }
}

TEST_P(DeviceDecoder, GeneratesInBfloat16WithItsOwnLogprobs) {
  const std::vector<TokenIds> prompts = {random_tokens(7, 1), random_tokens(1, 2), random_tokens(7, 1), random_tokens(12, 3)};
  for (const char* family : {"llama", "qwen2", "gpt2", "qwen3", "mistral", "smollm3", "phi3", "gemma", "gemma2", "gemma3_text"}) {
    const auto model = this->model(family, at::kBFloat16);
    const std::vector<float> adapter = random_adapter(*model);
    const auto completions = model->generate(prompts, adapter, {.max_new_tokens = 10, .stop = {}},
                                             {.reference_logprobs = true, .hidden = true}, Random({11}, "generation"));
    std::vector<TokenSequence> sequences;
    for (std::size_t b = 0; b < prompts.size(); ++b) {
      TokenIds ids = prompts[b];
      ids.insert(ids.end(), completions[b].ids.begin(), completions[b].ids.end());
      sequences.push_back({.ids = std::move(ids), .completion_length = completions[b].ids.size()});
    }
    const auto policy = model->logprobs(sequences, adapter);
    const auto reference = model->logprobs(sequences, {});
    for (std::size_t b = 0; b < prompts.size(); ++b) {
      EXPECT_EQ(completions[b].ids.size(), 10U);
      EXPECT_EQ(completions[b].hidden.size(), 240U);
      EXPECT_LT(mean_difference(completions[b].logprobs, policy[b]), 0.1F) << family;
      EXPECT_LT(mean_difference(completions[b].reference_logprobs, reference[b]), 0.1F) << family;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Device, testing::Values("cpu", "cuda"));
INSTANTIATE_TEST_SUITE_P(Devices, DeviceDecoder, testing::Values("cpu", "cuda"));

}  // namespace
}  // namespace paretofl
