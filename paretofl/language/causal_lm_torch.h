#pragma once

#include <ATen/core/Tensor.h>

#include <mutex>

#include "paretofl/language/causal_lm.h"
#include "paretofl/language/completion_batch_torch.h"
#include "paretofl/language/decoder_torch.h"
#include "paretofl/language/lane_decoder.h"

namespace paretofl {

/// CausalLm by LibTorch.
class TorchCausalLm final : public CausalLm {
 public:
  TorchCausalLm(const LanguageModelConfig& config, const LoraOptions& lora, DecoderWeights weights, const ModelPlacement& placement = {});

  const LanguageModelConfig& config() const override { return config_; }
  const std::shared_ptr<const Layout>& adapter_layout() const override { return layout_; }
  void initialize_adapter(Random random, std::span<float> adapter) const override;
  std::vector<float> logits(std::span<const TokenId> ids, std::span<const float> adapter,
                            GenerationWeights weights = GenerationWeights::kFloat32) const override;
  bool generates_with(GenerationWeights weights) const override;
  bool drops_out() const override { return drops_out_; }
  std::vector<Completion> generate(std::span<const TokenIds> prompts, std::span<const float> adapter, const Sampling& sampling,
                                   GenerationExtras extras, Random random) const override;
  std::vector<std::vector<float>> logprobs(std::span<const TokenSequence> sequences, std::span<const float> adapter, double temperature = 1,
                                           std::vector<float>* hidden = nullptr) const override;
  void jacobian(std::span<const TokenSequence> sequences, std::span<const float> adapter, const Random* dropout,
                const LogprobGradients& losses, std::span<float> jacobian, ActivationGradients activations = {},
                const TokenTerms& terms = {}) const override;

 private:
  void check(std::span<const TokenId> ids, std::int64_t further = 0) const;
  /// Throws Error on a prompt whose completion could reach beyond the original length of LongRoPE, where the cached keys would belong to
  /// other frequencies.
  void check_rope(std::size_t prompt, std::int64_t further) const;
  void check_adapter(std::span<const float> adapter) const;
  static void check_temperature(double temperature);
  void check_weights(GenerationWeights weights) const;
  /// The weights in 8 bits, which check_weights has allowed.
  const Int8Weights& rounded() const;
  CompletionBatch batch(std::span<const TokenSequence> sequences) const;
  /// The adapter's slices as leaves in the format that it is computed in.
  std::vector<at::Tensor> leaves(std::span<const float> adapter) const;
  /// The same in the number format of the base parameters.
  std::vector<at::Tensor> stored_slices(std::span<const float> adapter) const;
  at::Tensor to_device(const std::vector<std::int64_t>& values) const;

  LanguageModelConfig config_;
  bool drops_out_;
  bool recompute_;       // layers, in backward passes
  bool shared_prompts_;  // equal ones of a batch
  std::shared_ptr<const Layout> layout_;
  Decoder decoder_;
  mutable std::once_flag rounding_;
  mutable Int8Weights rounded_;  // filled in when first asked for
};

}  // namespace paretofl
