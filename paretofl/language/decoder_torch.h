#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/language/decoder_ops_torch.h"
#include "paretofl/language/decoder_weights_torch.h"
#include "paretofl/language/lora.h"
#include "paretofl/language/rope.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// Which earlier tokens a token sees, and where their keys and values come from.
class DecoderAttention {
 public:
  virtual ~DecoderAttention() = default;

  /// Queries [N, heads, head_dim], keys and values [N, key-value heads, head_dim] of one layer's N new tokens, rotated ->
  /// [N, heads * head_dim].
  virtual at::Tensor attend(std::size_t layer, const AttentionRule& rule, const at::Tensor& queries, const at::Tensor& keys,
                            const at::Tensor& values) = 0;
};

/// The adapter of one call.
struct DecoderAdapter {
  std::vector<at::Tensor> slices;  ///< in the order of lora_layout; empty: the base model alone
  const Random* dropout = nullptr;
  std::int64_t rows = 0;   ///< of the N tokens the first ones, which it applies to
  bool recompute = false;  ///< backward passes compute each layer again, of which only the input is kept (recomputed_torch.h)
};

/// N tokens, of any number of sequences, one after the other.
struct DecoderInput {
  at::Tensor ids;        ///< [N]
  at::Tensor positions;  ///< [N]
  at::Tensor selected;   ///< [n] ascending: the tokens whose hidden states are asked for; undefined: all
  at::Tensor lengths;    ///< [N] of the sequence that each token belongs to; may be undefined without LongRoPE
};

/// What a layer puts out on the way: filled in by the pass. Of the last layer the selected tokens only.
struct DecoderTap {
  std::int64_t layer = 0;
  at::Tensor states = {};  ///< [N, H]
};

/// The forward pass of Llama (Touvron et al. 2023; rotary positions by halves, as the reference library lays them out;
/// grouped queries; RMSNorm; SwiGLU), of the families with its layers (Mistral: Jiang et al. 2023; Qwen2 with biases: Yang et al. 2024;
/// Qwen3 with norms of heads: Yang et al. 2025; SmolLM3 with layers without positions; Phi-3 with fused maps: Abdin et al. 2024; Gemma:
/// Gemma Team 2024 and 2025), and of GPT-2 (Radford et al. 2019). Immutable.
class Decoder {
 public:
  Decoder(const LanguageModelConfig& config, const LoraOptions& lora, DecoderWeights weights);

  const LanguageModelConfig& config() const { return config_; }
  const DecoderWeights& weights() const { return weights_; }
  const LoraOptions& lora() const { return lora_; }
  const std::vector<std::vector<LoraPlace>>& places() const { return places_; }  ///< [layers][projections]

  /// Hidden states [n, H] after the final norm. With adapter.recompute the attention must outlive their graph.
  at::Tensor hidden(const DecoderInput& input, DecoderAttention& attention, const DecoderAdapter& adapter, DecoderTap* tap = nullptr) const;

 private:
  struct Call;

  at::Tensor layer(Call& call, std::size_t layer, at::Tensor x) const;
  at::Tensor recomputed_layer(const Call& call, std::size_t layer, const at::Tensor& x) const;
  at::Tensor project(const Call& call, std::size_t layer, std::size_t projection, const at::Tensor& x) const;
  at::Tensor attend(const Call& call, std::size_t layer, const at::Tensor& x) const;
  at::Tensor norm(const DecoderNorm& norm, const at::Tensor& x) const;
  at::Tensor rotate_heads(const Call& call, std::size_t kind, const at::Tensor& heads) const;
  at::Tensor head_norm(const DecoderNorm& norm, const at::Tensor& heads) const;
  at::Tensor feed_forward(const Call& call, std::size_t layer, const at::Tensor& x) const;

  LanguageModelConfig config_;
  LoraOptions lora_;
  std::vector<std::vector<LoraPlace>> places_;
  DecoderWeights weights_;
  // Of all layers, or with a local_rope of layers that see all tokens and of those with a window. Empty for GPT-2.
  std::vector<RopeWaves> waves_;
  std::vector<at::Tensor> frequencies_;  // [rotated width / 2] each, on the device
  at::Tensor beyond_;                    // the same in sequences beyond the original length; undefined without LongRoPE
};

}  // namespace paretofl
