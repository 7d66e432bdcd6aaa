#include "paretofl/model_files/decoder_slices.h"

#include "paretofl/core/error.h"
#include "paretofl/model_files/llama_keys.h"

namespace paretofl {
namespace {

bool is_gpt2(const LanguageModelConfig& config) { return config.model_type == "gpt2"; }

void add(std::vector<Slice>& slices, std::string name, std::vector<std::int64_t> shape) {
  slices.push_back({.name = std::move(name), .shape = std::move(shape), .range = {}});
}

// The names of norms before a layer's projection number p, as many as there are.
std::vector<std::string> norms_before(const LanguageModelConfig& config, const std::vector<DecoderProjection>& projections, std::size_t p) {
  const bool mlp = p < projections.size() && projections[p].module.starts_with("mlp.");
  if (p == 0) return {is_gpt2(config) ? "ln_1" : "input_layernorm"};
  if (p == projections.size())
    return config.norms_around ? std::vector<std::string>{"post_feedforward_layernorm"} : std::vector<std::string>{};
  if (!mlp || projections[p - 1].module.starts_with("mlp.")) return {};
  if (is_gpt2(config)) return {"ln_2"};
  if (config.norms_around) return {"post_attention_layernorm", "pre_feedforward_layernorm"};
  return {"post_attention_layernorm"};
}

void add_norm(std::vector<Slice>& slices, const LanguageModelConfig& config, const std::string& name) {
  add(slices, name + ".weight", {config.hidden_size});
  if (is_gpt2(config)) add(slices, name + ".bias", {config.hidden_size});
}

}  // namespace

std::vector<DecoderProjection> decoder_projections(const LanguageModelConfig& config) {
  const std::int64_t width = config.hidden_size;
  const std::int64_t inner = config.intermediate_size;
  if (is_gpt2(config)) {
    return {{"attn.c_attn", width, 3 * width, true},
            {"attn.c_proj", width, width, true},
            {"mlp.c_fc", width, inner, true},
            {"mlp.c_proj", inner, width, true}};
  }
  expect(is_llama_family(config.model_type), "decoder: expected a decoder language model, found model_type '{}'", config.model_type);
  const std::int64_t queries = config.num_attention_heads * config.head_dim;
  const std::int64_t keys = config.num_key_value_heads * config.head_dim;
  const bool bias = config.attention_bias;
  if (config.fused_projections) {
    return {{"self_attn.qkv_proj", width, queries + 2 * keys, false},
            {"self_attn.o_proj", queries, width, false},
            {"mlp.gate_up_proj", width, 2 * inner, false},
            {"mlp.down_proj", inner, width, false}};
  }
  return {{"self_attn.q_proj", width, queries, bias}, {"self_attn.k_proj", width, keys, bias},
          {"self_attn.v_proj", width, keys, bias},    {"self_attn.o_proj", queries, width, config.output_bias},
          {"mlp.gate_proj", width, inner, false},     {"mlp.up_proj", width, inner, false},
          {"mlp.down_proj", inner, width, false}};
}

std::string decoder_layer_prefix(const LanguageModelConfig& config) { return is_gpt2(config) ? "transformer.h." : "model.layers."; }

std::vector<Slice> decoder_slices(const LanguageModelConfig& config, bool language_head) {
  const bool gpt2 = is_gpt2(config);
  const std::vector<DecoderProjection> projections = decoder_projections(config);
  std::vector<Slice> slices;
  add(slices, gpt2 ? "transformer.wte.weight" : "model.embed_tokens.weight", {config.vocab_size, config.hidden_size});
  if (gpt2) add(slices, "transformer.wpe.weight", {config.max_position_embeddings, config.hidden_size});
  for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    const std::string prefix = decoder_layer_prefix(config) + std::to_string(layer) + ".";
    for (std::size_t p = 0; p <= projections.size(); ++p) {
      for (const std::string& norm : norms_before(config, projections, p)) add_norm(slices, config, prefix + norm);
      if (p == projections.size()) break;
      const DecoderProjection& projection = projections[p];
      const std::string name = prefix + projection.module;
      using Shape = std::vector<std::int64_t>;
      add(slices, name + ".weight", gpt2 ? Shape{projection.in, projection.out} : Shape{projection.out, projection.in});
      if (projection.bias) add(slices, name + ".bias", {projection.out});
      if (p == 2 && config.qk_norm) {
        for (const char* norm : {"q_norm", "k_norm"}) add(slices, prefix + "self_attn." + norm + ".weight", {config.head_dim});
      }
    }
  }
  add_norm(slices, config, gpt2 ? "transformer.ln_f" : "model.norm");
  if (language_head && !config.tie_word_embeddings) add(slices, "lm_head.weight", {config.vocab_size, config.hidden_size});
  return slices;
}

}  // namespace paretofl
