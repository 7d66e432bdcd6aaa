#include "paretofl/language/decoder_weights_torch.h"

#include <ATen/ATen.h>

#include <map>

#include "paretofl/model_files/decoder_slices.h"

namespace paretofl {

DecoderWeights make_decoder_weights(const LanguageModelConfig& config, const TensorLookup& lookup, bool language_head) {
  std::map<std::string, at::Tensor, std::less<>> tensors;
  for (const Slice& slice : decoder_slices(config, language_head)) tensors.emplace(slice.name, lookup(slice.name, slice.shape));
  const auto take = [&](const std::string& name) {
    const auto found = tensors.find(name);
    return found == tensors.end() ? at::Tensor() : found->second;
  };
  const auto norm = [&](const std::string& name) { return DecoderNorm{take(name + ".weight"), take(name + ".bias")}; };
  const bool gpt2 = config.model_type == "gpt2";
  DecoderWeights weights;
  weights.tokens = take(gpt2 ? "transformer.wte.weight" : "model.embed_tokens.weight");
  if (gpt2) weights.positions = take("transformer.wpe.weight");
  for (std::int64_t l = 0; l < config.num_hidden_layers; ++l) {
    const std::string prefix = decoder_layer_prefix(config) + std::to_string(l) + ".";
    DecoderLayer layer{.attention_norm = norm(prefix + (gpt2 ? "ln_1" : "input_layernorm")),
                       .mlp_norm = norm(prefix + (gpt2 ? "ln_2" : "post_attention_layernorm")),
                       .projections = {}};
    for (const DecoderProjection& projection : decoder_projections(config)) {
      const at::Tensor weight = take(prefix + projection.module + ".weight");
      layer.projections.push_back({gpt2 ? weight.t() : weight, take(prefix + projection.module + ".bias")});
    }
    weights.layers.push_back(std::move(layer));
  }
  weights.final_norm = norm(gpt2 ? "transformer.ln_f" : "model.norm");
  if (language_head) weights.head = config.tie_word_embeddings ? weights.tokens : take("lm_head.weight");
  return weights;
}

}  // namespace paretofl
