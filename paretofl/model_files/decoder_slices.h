#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// One linear map of a decoder's layer.
struct DecoderProjection {
  std::string module;  ///< its place in a layer, such as "self_attn.q_proj"
  std::int64_t in = 0;
  std::int64_t out = 0;
  bool bias = false;
};

/// The linear maps of every layer, in the order of the forward pass: q, k, v, o, gate, up, down; GPT-2's c_attn,
/// c_proj, c_fc, c_proj; or Phi-3's qkv, o, gate_up, down. Throws Error on a model type that is no decoder.
std::vector<DecoderProjection> decoder_projections(const LanguageModelConfig& config);

/// "model.layers." or "transformer.h.", what stands before a layer's number in the names of its tensors.
std::string decoder_layer_prefix(const LanguageModelConfig& config);

/// Names and shapes of all tensors of a decoder as published checkpoints have them, in the order of the forward pass:
/// linear maps [out, in], except GPT-2's, which are [in, out]. Without lm_head.weight where it is tied to the embeddings
/// or `language_head` is false, as in classifiers.
std::vector<Slice> decoder_slices(const LanguageModelConfig& config, bool language_head = true);

}  // namespace paretofl
