#include "paretofl/model_files/decoder_slices.h"

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

bool is_gpt2(const LanguageModelConfig& config) { return config.model_type == "gpt2"; }

void add(std::vector<Slice>& slices, std::string name, std::vector<std::int64_t> shape) {
  slices.push_back({.name = std::move(name), .shape = std::move(shape), .range = {}});
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
  expect(config.model_type == "llama" || config.model_type == "qwen2", "decoder: expected a model of type llama, qwen2 or gpt2, found '{}'",
         config.model_type);
  const std::int64_t queries = config.num_attention_heads * config.head_dim;
  const std::int64_t keys = config.num_key_value_heads * config.head_dim;
  const bool bias = config.attention_bias;
  return {{"self_attn.q_proj", width, queries, bias}, {"self_attn.k_proj", width, keys, bias},
          {"self_attn.v_proj", width, keys, bias},    {"self_attn.o_proj", queries, width, bias && config.model_type == "llama"},
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
    add_norm(slices, config, prefix + (gpt2 ? "ln_1" : "input_layernorm"));
    for (std::size_t p = 0; p < projections.size(); ++p) {
      const DecoderProjection& projection = projections[p];
      if (projection.module.starts_with("mlp.") && !projections[p - 1].module.starts_with("mlp.")) {
        add_norm(slices, config, prefix + (gpt2 ? "ln_2" : "post_attention_layernorm"));
      }
      const std::string name = prefix + projection.module;
      using Shape = std::vector<std::int64_t>;
      add(slices, name + ".weight", gpt2 ? Shape{projection.in, projection.out} : Shape{projection.out, projection.in});
      if (projection.bias) add(slices, name + ".bias", {projection.out});
    }
  }
  add_norm(slices, config, gpt2 ? "transformer.ln_f" : "model.norm");
  if (language_head && !config.tie_word_embeddings) add(slices, "lm_head.weight", {config.vocab_size, config.hidden_size});
  return slices;
}

}  // namespace paretofl
