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
  const auto norm = [&](const std::string& name) {
    at::Tensor weight = take(name + ".weight");
    if (weight.defined() && config.norm_offset != 0) {  // a sum of its own, as wide as float32
      weight = (weight.scalar_type() == at::kBFloat16 ? weight.to(at::kFloat) : weight) + config.norm_offset;
    }
    return DecoderNorm{weight, take(name + ".bias")};
  };
  const bool gpt2 = config.model_type == "gpt2";
  DecoderWeights weights;
  weights.tokens = take(gpt2 ? "transformer.wte.weight" : "model.embed_tokens.weight");
  if (gpt2) weights.positions = take("transformer.wpe.weight");
  for (std::int64_t l = 0; l < config.num_hidden_layers; ++l) {
    const std::string prefix = decoder_layer_prefix(config) + std::to_string(l) + ".";
    DecoderLayer layer{.attention_norm = norm(prefix + (gpt2 ? "ln_1" : "input_layernorm")),
                       .mlp_norm = norm(prefix + (gpt2                  ? "ln_2"
                                                  : config.norms_around ? "pre_feedforward_layernorm"
                                                                        : "post_attention_layernorm")),
                       .attention_out_norm = config.norms_around ? norm(prefix + "post_attention_layernorm") : DecoderNorm{},
                       .mlp_out_norm = config.norms_around ? norm(prefix + "post_feedforward_layernorm") : DecoderNorm{},
                       .query_norm = norm(prefix + "self_attn.q_norm"),
                       .key_norm = norm(prefix + "self_attn.k_norm"),
                       .projections = {}};
    for (const DecoderProjection& projection : decoder_projections(config)) {
      const at::Tensor weight = take(prefix + projection.module + ".weight");
      layer.projections.push_back({gpt2 ? weight.t() : weight, take(prefix + projection.module + ".bias")});
    }
    weights.layers.push_back(std::move(layer));
  }
  weights.logit_cap = config.logit_cap;
  weights.final_norm = norm(gpt2 ? "transformer.ln_f" : "model.norm");
  if (language_head) weights.head = config.tie_word_embeddings ? weights.tokens : take("lm_head.weight");
  return weights;
}

}  // namespace paretofl
