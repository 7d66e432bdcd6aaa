#include "paretofl/model_files/language_model_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/files/data_ledger.h"
#include "paretofl/files/input_file.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/model_files/activation_keys.h"
#include "paretofl/model_files/config_keys.h"
#include "paretofl/model_files/harmless_keys.h"
#include "paretofl/model_files/llama_keys.h"

namespace paretofl {
namespace {

using nlohmann::json;

void read_gpt2(const ConfigKeys& keys, LanguageModelConfig& config) {
  config.hidden_size = keys.integer_of_either("n_embd", "hidden_size");
  config.intermediate_size = keys.integer_or("n_inner", 4 * config.hidden_size);
  config.num_hidden_layers = keys.integer_of_either("n_layer", "num_hidden_layers", kMaxConfigLayers);
  config.num_attention_heads = keys.integer_of_either("n_head", "num_attention_heads");
  config.num_key_value_heads = config.num_attention_heads;
  config.head_dim = config.hidden_size / config.num_attention_heads;
  config.max_position_embeddings = keys.integer_of_either("n_positions", "max_position_embeddings");
  config.norm_epsilon = keys.positive_or("layer_norm_epsilon", 1e-5);
  config.tie_word_embeddings = keys.flag_or("tie_word_embeddings", true);
  config.hidden_act = hidden_activation(keys, "activation_function", "gelu_new");
  config.attention_bias = true;
  keys.need_flag("scale_attn_weights", true, true);
  keys.need_flag("scale_attn_by_inverse_layer_idx", false, false);
  keys.need_flag("add_cross_attention", false, false);
}

void need_content_and_position(const ConfigKeys& keys) {
  const json& terms = keys.at("pos_att_type");
  std::string joined;
  for (const json& term : terms.is_array() ? terms : json::array({terms})) {
    joined += (joined.empty() ? "" : "|") + (term.is_string() ? term.get<std::string>() : term.dump());
  }
  expect(joined == "p2c|c2p" || joined == "c2p|p2c", "{}: expected pos_att_type to be p2c and c2p, found '{}'", keys.name(), joined);
}

void read_deberta(const ConfigKeys& keys, LanguageModelConfig& config) {
  config.hidden_size = keys.integer("hidden_size");
  config.intermediate_size = keys.integer("intermediate_size");
  config.num_hidden_layers = keys.integer("num_hidden_layers", 1, kMaxConfigLayers);
  config.num_attention_heads = keys.integer("num_attention_heads");
  config.num_key_value_heads = config.num_attention_heads;
  config.head_dim = config.hidden_size / config.num_attention_heads;
  config.max_position_embeddings = keys.integer("max_position_embeddings");
  config.norm_epsilon = keys.positive_or("layer_norm_eps", 1e-7);
  config.hidden_act = hidden_activation(keys, "hidden_act", "gelu");
  config.pooler_hidden_act = pooler_activation(keys);
  config.attention_bias = true;
  config.position_buckets = keys.integer("position_buckets");
  config.max_relative_positions = keys.find("max_relative_positions") == nullptr ? -1 : keys.integer("max_relative_positions", -1);
  if (config.max_relative_positions < 1) config.max_relative_positions = config.max_position_embeddings;
  expect(config.max_relative_positions - 1 > config.position_buckets / 2,
         "{}: expected more relative positions than half of the position_buckets {}, found {}", keys.name(), config.position_buckets,
         config.max_relative_positions);
  keys.need_flag("relative_attention", true, false);
  keys.need_flag("share_att_key", true, false);
  keys.need_flag("position_biased_input", false, true);
  need_content_and_position(keys);
  expect(keys.find("norm_rel_ebd") != nullptr && keys.text("norm_rel_ebd") == "layer_norm",
         "{}: expected norm_rel_ebd to be layer_norm, found {}", keys.name(),
         keys.find("norm_rel_ebd") == nullptr ? "none" : keys.text("norm_rel_ebd"));
  const auto need = [&](const char* key, std::int64_t built) {
    const std::int64_t found = keys.find(key) == nullptr ? built : keys.integer(key, 0);
    expect(found == built, "{}: expected {} = {}, found {}, which is not supported", keys.name(), key, built, found);
  };
  need("type_vocab_size", 0);
  need("conv_kernel_size", 0);
  need("embedding_size", config.hidden_size);
  need("pooler_hidden_size", config.hidden_size);
  need("attention_head_size", config.head_dim);
}

// Two where nothing is said, as in the reference library.
std::int64_t label_count(const ConfigKeys& keys) {
  const json* labels = keys.find("id2label");
  expect(labels == nullptr || labels->is_object(), "{}: expected id2label to be an object, found {}", keys.name(),
         labels == nullptr ? "" : labels->type_name());
  const std::int64_t named = labels == nullptr ? 2 : static_cast<std::int64_t>(labels->size());
  const std::int64_t count = keys.integer_or("num_labels", named);
  expect(labels == nullptr || count == named, "{}: expected as many num_labels as id2label has, found {} and {}", keys.name(), count,
         named);
  return count;
}

json gpt2_keys(const LanguageModelConfig& config) {
  return {{"n_embd", config.hidden_size},
          {"n_inner", config.intermediate_size},
          {"n_layer", config.num_hidden_layers},
          {"n_head", config.num_attention_heads},
          {"n_positions", config.max_position_embeddings},
          {"layer_norm_epsilon", config.norm_epsilon},
          {"tie_word_embeddings", config.tie_word_embeddings},
          {"activation_function", config.hidden_act}};
}

json deberta_keys(const LanguageModelConfig& config) {
  return {{"hidden_size", config.hidden_size},
          {"intermediate_size", config.intermediate_size},
          {"num_hidden_layers", config.num_hidden_layers},
          {"num_attention_heads", config.num_attention_heads},
          {"max_position_embeddings", config.max_position_embeddings},
          {"max_relative_positions", config.max_relative_positions},
          {"position_buckets", config.position_buckets},
          {"layer_norm_eps", config.norm_epsilon},
          {"hidden_act", config.hidden_act},
          {"relative_attention", true},
          {"share_att_key", true},
          {"position_biased_input", false},
          {"pos_att_type", {"p2c", "c2p"}},
          {"norm_rel_ebd", "layer_norm"},
          {"type_vocab_size", 0},
          {"pooler_hidden_size", config.hidden_size},
          {"pooler_hidden_act", config.pooler_hidden_act},
          {"pooler_dropout", 0}};
}

}  // namespace

LanguageModelConfig parse_language_model_config(const std::string& text, const std::string& name) {
  const json object = parse_json(text, name);
  const ConfigKeys keys(object, name);
  LanguageModelConfig config;
  config.model_type = keys.text("model_type");
  if (is_llama_family(config.model_type)) {
    read_llama_family(keys, config);
  } else if (config.model_type == "gpt2") {
    read_gpt2(keys, config);
  } else if (config.model_type == "deberta-v2") {
    read_deberta(keys, config);
  } else {
    throw Error(
        fmt::format("{}: expected model_type to be llama, qwen2, qwen3, mistral, smollm3, phi3, gemma, gemma2, gemma3_text, gpt2 or "
                    "deberta-v2, found '{}'",
                    name, config.model_type));
  }
  config.vocab_size = keys.integer("vocab_size");
  config.initializer_range = keys.positive_or("initializer_range", 0.02);
  config.bos_token_id = keys.token("bos_token_id");
  config.eos_token_ids = keys.tokens("eos_token_id");
  if (keys.written("pad_token_id")) config.pad_token_id = keys.token("pad_token_id");
  config.num_labels = label_count(keys);
  if (config.model_type != "deberta-v2") keys.need_flag("is_causal", true, true);
  keys.refuse_others(harmless_config_keys(config.model_type));
  expect(is_llama_family(config.model_type) || config.hidden_size % config.num_attention_heads == 0,
         "{}: expected a hidden size that the attention heads divide, found {} and {}", name, config.hidden_size,
         config.num_attention_heads);
  expect(config.num_attention_heads % config.num_key_value_heads == 0,
         "{}: expected key-value heads that divide the attention heads, found {} and {}", name, config.num_key_value_heads,
         config.num_attention_heads);
  return config;
}

// How the reference library would also choose tokens, were it asked to generate with no further word: with what value they change nothing.
const std::vector<std::pair<std::string_view, json>> kOtherChoices = {{"repetition_penalty", 1.0},
                                                                      {"encoder_repetition_penalty", 1.0},
                                                                      {"no_repeat_ngram_size", 0},
                                                                      {"encoder_no_repeat_ngram_size", 0},
                                                                      {"num_beams", 1},
                                                                      {"num_beam_groups", 1},
                                                                      {"penalty_alpha", 0.0},
                                                                      {"guidance_scale", 1.0},
                                                                      {"min_length", 0},
                                                                      {"min_new_tokens", 0},
                                                                      {"typical_p", 1.0},
                                                                      {"epsilon_cutoff", 0.0},
                                                                      {"eta_cutoff", 0.0},
                                                                      {"min_p", 0.0},
                                                                      {"diversity_penalty", 0.0},
                                                                      {"length_penalty", 1.0}};

// The ends of sequences that generation_config.json gives. Its other settings are those of sampling, for which every command has
// options of its own, but for those that forbid or force tokens, which no command has, and for other ways to choose them, of which a
// warning tells that they are not applied.
std::vector<TokenId> generation_ends(const std::string& text, const std::string& name) {
  const json object = parse_json(text, name);
  const ConfigKeys keys(object, name);
  for (const char* key :
       {"suppress_tokens", "begin_suppress_tokens", "bad_words_ids", "force_words_ids", "forced_bos_token_id", "forced_eos_token_id",
        "forced_decoder_ids", "sequence_bias", "stop_strings", "constraints", "exponential_decay_length_penalty"}) {
    const json* value = keys.find(key);
    expect(value == nullptr || says_nothing(*value), "{}: expected no key {}, which is not supported, found {}", name, key,
           value == nullptr ? "" : value->dump(-1, ' ', true).substr(0, 100));
  }
  for (const auto& [key, neutral] : kOtherChoices) {
    const json* value = keys.find(std::string(key).c_str());
    if (value == nullptr || says_nothing(*value) || *value == neutral) continue;
    warn("warning: {}: {} {} is not applied: tokens are drawn as the options of the command or the config say", name, key,
         printable(value->dump(-1, ' ', true).substr(0, 100)));
  }
  return keys.tokens("eos_token_id");
}

LanguageModelConfig read_language_model_config(const std::filesystem::path& folder) {
  const auto text_of = [&](const char* name) -> std::optional<std::string> {
    std::error_code failure;
    if (!std::filesystem::exists(folder / name, failure)) return std::nullopt;
    std::string text = read_file(folder / name);
    DataLedger::note(folder / name, std::as_bytes(std::span(text)));
    return text;
  };
  const std::optional<std::string> text = text_of("config.json");
  expect(text.has_value(), "{}: expected a model's config.json, found none", folder.string());
  expect(!std::filesystem::exists(folder / "adapter_config.json"),
         "{}: expected a model without an adapter in its own folder, found adapter_config.json, which other readers apply unasked",
         folder.string());
  LanguageModelConfig config = parse_language_model_config(*text, (folder / "config.json").string());
  if (const auto generation = text_of("generation_config.json")) {
    auto ends = generation_ends(*generation, (folder / "generation_config.json").string());
    if (!ends.empty()) config.eos_token_ids = std::move(ends);
  }
  return config;
}

void write_language_model_config(const LanguageModelConfig& config, const std::string& architecture, const std::filesystem::path& folder) {
  json keys = config.model_type == "gpt2"         ? gpt2_keys(config)
              : config.model_type == "deberta-v2" ? deberta_keys(config)
                                                  : llama_family_keys(config);
  keys["architectures"] = {architecture};
  keys["model_type"] = config.model_type;
  keys["torch_dtype"] = "float32";
  keys["vocab_size"] = config.vocab_size;
  keys["initializer_range"] = config.initializer_range;
  // Null where there is none: the reference library's defaults differ by family.
  keys["bos_token_id"] = config.bos_token_id ? json(*config.bos_token_id) : json(nullptr);
  keys["pad_token_id"] = config.pad_token_id ? json(*config.pad_token_id) : json(nullptr);
  keys["eos_token_id"] = nullptr;
  if (config.eos_token_ids.size() == 1) keys["eos_token_id"] = config.eos_token_ids.front();
  if (config.eos_token_ids.size() > 1) keys["eos_token_id"] = config.eos_token_ids;
  if (architecture.ends_with("ForSequenceClassification")) {
    keys["id2label"] = {{"0", "LABEL_0"}};
    keys["label2id"] = {{"LABEL_0", 0}};
  }
  write_whole_file(folder / "config.json", keys.dump(2) + "\n");
}

}  // namespace paretofl
