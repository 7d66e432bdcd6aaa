#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/model_files/rope_scaling.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// The published config.json of a transformer, one struct for all families; names are those of the Llama family.
struct LanguageModelConfig {
  /// "llama", "qwen2", "qwen3", "mistral", "smollm3", "phi3", "gemma", "gemma2", "gemma3_text", "gpt2" or "deberta-v2"
  std::string model_type = "llama";
  std::int64_t vocab_size = 0;   ///< V
  std::int64_t hidden_size = 0;  ///< H
  std::int64_t intermediate_size = 0;
  std::int64_t num_hidden_layers = 0;
  std::int64_t num_attention_heads = 0;
  std::int64_t num_key_value_heads = 0;  ///< fewer than attention heads: grouped queries
  std::int64_t head_dim = 0;
  std::int64_t max_position_embeddings = 0;
  double norm_epsilon = 1e-5;
  double rope_theta = 10000;
  std::optional<RopeScaling> rope_scaling;
  bool tie_word_embeddings = false;
  bool attention_bias = false;              ///< of the projections of queries, keys and values
  bool output_bias = false;                 ///< of the attention's output, in the families with Llama's layers
  bool fused_projections = false;           ///< Phi-3: queries, keys and values are one map, and so are gates and their factors
  bool qk_norm = false;                     ///< RMSNorm of every head of queries and keys before they are rotated (Qwen 3, Gemma 3)
  bool norms_around = false;                ///< Gemma 2 and 3: norms behind attention and feed-forward blocks too
  double norm_offset = 0;                   ///< Gemma: RMSNorm multiplies by weight + 1
  double embedding_scale = 1;               ///< Gemma: embeddings are multiplied by sqrt(H), rounded to the number format
  double attention_scale = 0;               ///< of scores; 0: 1 / sqrt(head_dim)
  double attention_cap = 0;                 ///< c: scores s become c tanh(s / c); 0: none
  double logit_cap = 0;                     ///< the same of the logits
  std::int64_t position_buckets = 0;        ///< DeBERTa: B
  std::int64_t max_relative_positions = 0;  ///< DeBERTa: M, already resolved where the file says -1
  std::string hidden_act = "silu";          ///< "silu", "gelu" (by the error function) or "gelu_new" (by tanh)
  std::string pooler_hidden_act = "gelu";   ///< DeBERTa: the same, "relu" or "tanh"
  double initializer_range = 0.02;
  std::int64_t num_labels = 2;  ///< outputs of a classifier
  std::optional<TokenId> bos_token_id;
  std::vector<TokenId> eos_token_ids;
  std::optional<TokenId> pad_token_id;
  std::vector<std::int64_t> windows = {};       ///< [layers] last tokens that a layer sees, its own included, 0: all; empty: all see all
  std::int64_t rotary_dim = 0;                  ///< Phi-3: of every head the first numbers that are rotated; 0: all
  std::vector<bool> rotated = {};               ///< [layers] which layers have rotary positions (SmolLM3); empty: all
  std::optional<RopeSettings> local_rope = {};  ///< Gemma 3: of the layers with a window; rope_theta and rope_scaling are of the others

  std::int64_t window(std::size_t layer) const { return windows.empty() ? 0 : windows[layer]; }
  std::int64_t rotated_width() const { return rotary_dim > 0 ? rotary_dim : head_dim; }  ///< of a head
  bool rotates(std::size_t layer) const { return rotated.empty() || rotated[layer]; }
};

/// Reads config.json of a folder, and the end tokens of its generation_config.json, which count where both have some. Every key
/// is read, known to be harmless (harmless_keys.h) or refused: throws Error, naming the file, on an unknown key that is set, an
/// unknown model type or activation, a missing or impossible number, or a feature that is not built (such as a kind of rope
/// scaling), and on an adapter in the same folder.
LanguageModelConfig read_language_model_config(const std::filesystem::path& folder);

/// The same of config.json's text; `name` is its name in errors.
LanguageModelConfig parse_language_model_config(const std::string& text, const std::string& name);

/// Writes config.json as the reference library would read it back; `architecture` is its class name, such as
/// "LlamaForCausalLM".
void write_language_model_config(const LanguageModelConfig& config, const std::string& architecture, const std::filesystem::path& folder);

}  // namespace paretofl
