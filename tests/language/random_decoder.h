#pragma once

#include <gtest/gtest.h>

#include <string>

#include "paretofl/language/causal_lm.h"

namespace paretofl {

/// A tiny configuration of a family.
inline LanguageModelConfig tiny_config(const std::string& model_type) {
  LanguageModelConfig config{.model_type = model_type,
                             .vocab_size = 50,
                             .hidden_size = 24,
                             .intermediate_size = 40,
                             .num_hidden_layers = 2,
                             .num_attention_heads = 4,
                             .num_key_value_heads = 2,
                             .head_dim = 6,
                             .max_position_embeddings = 64,
                             .rope_scaling = {},
                             .initializer_range = 0.3,
                             .bos_token_id = {},
                             .eos_token_ids = {},
                             .pad_token_id = {}};
  if (model_type == "qwen2" || model_type == "qwen3") config.attention_bias = true;
  if (model_type == "mistral") config.windows = {5, 5};
  if (model_type == "qwen3") {
    config.head_dim = 10;
    config.output_bias = true;
    config.qk_norm = true;
    config.windows = {0, 3};
    config.rope_scaling = {.rope_type = "yarn", .factor = 4, .original_max_position_embeddings = 16, .attention_factor = 1.2};
  }
  if (model_type == "phi3") {
    config.fused_projections = true;
    config.windows = {5, 5};
    config.rotary_dim = 4;
    config.rope_scaling = {.rope_type = "longrope",
                           .original_max_position_embeddings = 64,
                           .attention_factor = 1.2,
                           .short_factors = {1, 1.5},
                           .long_factors = {3, 7}};
  }
  if (model_type == "smollm3") {
    config.rotated = {true, false};
    config.windows = {0, 6};
  }
  if (model_type.starts_with("gemma")) {
    config.hidden_act = "gelu_new";
    config.tie_word_embeddings = true;
    config.norm_offset = 1;
    config.embedding_scale = 4.9;
    config.initializer_range = 0.2;
  }
  if (model_type == "gemma2" || model_type == "gemma3_text") {
    config.norms_around = true;
    config.attention_scale = 0.3;
    config.logit_cap = 3;
    config.windows = {4, 0};
  }
  if (model_type == "gemma2") config.attention_cap = 1.5;
  if (model_type == "gemma3_text") {
    config.head_dim = 8;
    config.qk_norm = true;
    config.local_rope = {.theta = 100};
    config.rope_scaling = {.rope_type = "linear", .factor = 8};
  }
  if (model_type == "gpt2") {
    config.num_key_value_heads = 4;
    config.attention_bias = true;
    config.tie_word_embeddings = true;
    config.hidden_act = "gelu_new";
  }
  return config;
}

/// The families that have a tiny configuration; between them every feature that a decoder can have.
inline const auto kDecoderFamilies =
    testing::Values("llama", "qwen2", "gpt2", "qwen3", "mistral", "smollm3", "phi3", "gemma", "gemma2", "gemma3_text");

/// Projections to adapt: all that the family has.
inline std::vector<std::string> all_projections(const std::string& model_type) {
  if (model_type == "gpt2") return {"c_attn", "c_proj", "c_fc"};
  if (model_type == "phi3") return {"qkv_proj", "o_proj", "gate_up_proj", "down_proj"};
  return {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};
}

/// Adapter parameters of which none is zero.
inline std::vector<float> random_adapter(const CausalLm& model, std::uint64_t seed = 7) {
  Random random({seed}, "adapter");
  std::vector<float> adapter(model.adapter_layout()->size());
  for (float& x : adapter) x = static_cast<float>(0.2 * random.normal());
  return adapter;
}

inline TokenIds random_tokens(std::size_t length, std::uint64_t seed) {
  Random random({seed}, "tokens");
  TokenIds ids(length);
  for (TokenId& id : ids) id = static_cast<TokenId>(random.below(50));
  return ids;
}

}  // namespace paretofl
