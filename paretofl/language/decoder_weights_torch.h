#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

struct DecoderLinear {
  at::Tensor weight;  ///< [out, in], GPT-2's a transposed view
  at::Tensor bias;    ///< [out], or undefined
};

struct DecoderNorm {
  at::Tensor weight;  ///< [H], with config.norm_offset added
  at::Tensor bias;    ///< [H]: LayerNorm; undefined: RMSNorm
};

struct DecoderLayer {
  DecoderNorm attention_norm;
  DecoderNorm mlp_norm;
  DecoderNorm attention_out_norm;          ///< Gemma: behind the attention's output; undefined elsewhere
  DecoderNorm mlp_out_norm;                ///< Gemma: behind the feed-forward block
  DecoderNorm query_norm;                  ///< [head_dim]: of every head of the queries, Qwen 3 and Gemma 3; undefined elsewhere
  DecoderNorm key_norm;                    ///< the same of the keys
  std::vector<DecoderLinear> projections;  ///< in the order of decoder_projections
};

/// The tensors of a decoder; they may require gradients.
struct DecoderWeights {
  at::Tensor tokens;     ///< [V, H]
  at::Tensor positions;  ///< [P, H], GPT-2 alone
  std::vector<DecoderLayer> layers;
  DecoderNorm final_norm;
  at::Tensor head;       ///< [V, H], the embeddings themselves where they are tied; undefined without a language head
  double logit_cap = 0;  ///< c > 0: logits z become c tanh(z / c); 0: they stay
};

/// A tensor by name and shape as in decoder_slices.
using TensorLookup = std::function<at::Tensor(const std::string& name, const std::vector<std::int64_t>& shape)>;

/// Asks `lookup` once for every tensor of decoder_slices.
DecoderWeights make_decoder_weights(const LanguageModelConfig& config, const TensorLookup& lookup, bool language_head = true);

}  // namespace paretofl
