#include "paretofl/model_files/language_model_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "paretofl/core/data_ledger.h"
#include "paretofl/core/error.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/whole_file.h"
#include "paretofl/model_files/config_keys.h"
#include "paretofl/model_files/harmless_keys.h"

namespace paretofl {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxLayers = 10'000;  // parameters are laid out for all of them before any is looked for

// Where the key is missing it is the reference library's default.
std::string activation(const ConfigKeys& keys, const char* key, const char* absent, std::span<const std::string_view> built) {
  const std::string name = keys.written(key) ? keys.text(key) : absent;
  if (name == "gelu_pytorch_tanh") return "gelu_new";
  expect(std::find(built.begin(), built.end(), name) != built.end(), "{}: expected {} to be one of {}, found '{}'", keys.name(), key,
         fmt::join(built, ", "), name);
  return name;
}

std::string hidden_activation(const ConfigKeys& keys, const char* key, const char* absent) {
  static constexpr std::array<std::string_view, 3> kBuilt = {"silu", "gelu", "gelu_new"};
  return activation(keys, key, absent, kBuilt);
}

std::string pooler_activation(const ConfigKeys& keys) {
  static constexpr std::array<std::string_view, 5> kBuilt = {"silu", "gelu", "gelu_new", "relu", "tanh"};
  return activation(keys, "pooler_hidden_act", "gelu", kBuilt);
}

// The reference library calls it rope_parameters from version 5 on, with theta among them; an older rope_scaling that is
// there too counts in all its versions.
void read_rope(const ConfigKeys& keys, LanguageModelConfig& config) {
  const auto object = [&](const char* key) {
    const json* found = keys.find(key);
    return found == nullptr || (found->is_object() && found->empty()) ? nullptr : found;
  };
  const json* older = object("rope_scaling");
  const json* newer = object("rope_parameters");
  config.rope_theta = keys.positive_or("rope_theta", config.rope_theta);
  keys.need_number("partial_rotary_factor", 1);
  const char* original = "original_max_position_embeddings";
  const bool outside = keys.find(original) != nullptr;
  const json* scaling = older != nullptr ? older : newer;
  if (scaling == nullptr) return;
  const ConfigKeys rope(*scaling, keys.name() + (older != nullptr ? ": rope_scaling" : ": rope_parameters"));
  config.rope_theta = rope.positive_or("rope_theta", config.rope_theta);
  rope.need_number("partial_rotary_factor", 1);
  const char* key = rope.find("rope_type") != nullptr ? "rope_type" : "type";
  rope.find("type");  // an older name, which does not count where both are there
  const std::string type = rope.find(key) == nullptr ? "default" : rope.text(key);
  expect(type == "default" || type == "llama3", "{}: expected rope_type to be default or llama3, found '{}'", rope.name(), type);
  if (type == "llama3") {
    config.rope_scaling = {.factor = rope.positive("factor"),
                           .low_freq_factor = rope.positive("low_freq_factor"),
                           .high_freq_factor = rope.positive("high_freq_factor"),
                           .original_max_position_embeddings = rope.integer_or(original, config.max_position_embeddings)};
    if (outside) config.rope_scaling->original_max_position_embeddings = keys.integer(original);
    expect(config.rope_scaling->high_freq_factor > config.rope_scaling->low_freq_factor,
           "{}: expected high_freq_factor above low_freq_factor, found {} and {}", rope.name(), config.rope_scaling->high_freq_factor,
           config.rope_scaling->low_freq_factor);
  }
  rope.refuse_others({});
}

void need_full_attention(const ConfigKeys& keys) {
  const json* types = keys.find("layer_types");
  const auto is_full = [](const json& type) { return type == "full_attention"; };
  expect(types == nullptr || (types->is_array() && std::all_of(types->begin(), types->end(), is_full)),
         "{}: expected layer_types to be full_attention, found {}, which is not supported", keys.name(),
         types == nullptr ? "" : types->dump());
}

void read_llama(const ConfigKeys& keys, LanguageModelConfig& config) {
  config.hidden_size = keys.integer("hidden_size");
  config.intermediate_size = keys.integer("intermediate_size");
  config.num_hidden_layers = keys.integer("num_hidden_layers", 1, kMaxLayers);
  config.num_attention_heads = keys.integer("num_attention_heads");
  // Qwen2's default is a number; null takes that of the attention heads in both families.
  const bool left_out = config.model_type == "qwen2" && !keys.written("num_key_value_heads");
  config.num_key_value_heads = keys.integer_or("num_key_value_heads", left_out ? 32 : config.num_attention_heads);
  config.head_dim = keys.integer_or("head_dim", std::max<std::int64_t>(config.hidden_size / config.num_attention_heads, 1));
  config.max_position_embeddings = keys.integer("max_position_embeddings");
  config.norm_epsilon = keys.positive_or("rms_norm_eps", 1e-6);
  config.tie_word_embeddings = keys.flag_or("tie_word_embeddings", false);
  config.hidden_act = hidden_activation(keys, "hidden_act", "silu");
  read_rope(keys, config);
  need_full_attention(keys);
  expect(config.head_dim % 2 == 0, "{}: expected an even head_dim, found {}", keys.name(), config.head_dim);
  if (config.model_type == "llama") {
    config.attention_bias = keys.flag_or("attention_bias", false);
    keys.need_flag("mlp_bias", false, false);
  } else {
    config.attention_bias = true;
    keys.need_flag("use_sliding_window", false, false);
  }
}

void read_gpt2(const ConfigKeys& keys, LanguageModelConfig& config) {
  config.hidden_size = keys.integer_of_either("n_embd", "hidden_size");
  config.intermediate_size = keys.integer_or("n_inner", 4 * config.hidden_size);
  config.num_hidden_layers = keys.integer_of_either("n_layer", "num_hidden_layers", kMaxLayers);
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
  config.num_hidden_layers = keys.integer("num_hidden_layers", 1, kMaxLayers);
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

json llama_keys(const LanguageModelConfig& config) {
  json keys = {{"hidden_size", config.hidden_size},
               {"intermediate_size", config.intermediate_size},
               {"num_hidden_layers", config.num_hidden_layers},
               {"num_attention_heads", config.num_attention_heads},
               {"num_key_value_heads", config.num_key_value_heads},
               {"max_position_embeddings", config.max_position_embeddings},
               {"rms_norm_eps", config.norm_epsilon},
               {"rope_theta", config.rope_theta},
               {"rope_scaling", nullptr},
               {"tie_word_embeddings", config.tie_word_embeddings},
               {"hidden_act", config.hidden_act}};
  if (config.rope_scaling) {
    keys["rope_scaling"] = {{"rope_type", "llama3"},
                            {"factor", config.rope_scaling->factor},
                            {"low_freq_factor", config.rope_scaling->low_freq_factor},
                            {"high_freq_factor", config.rope_scaling->high_freq_factor},
                            {"original_max_position_embeddings", config.rope_scaling->original_max_position_embeddings}};
  }
  if (config.model_type == "llama") {
    keys["attention_bias"] = config.attention_bias;
    keys["mlp_bias"] = false;
    keys["head_dim"] = config.head_dim;
  } else if (config.head_dim * config.num_attention_heads != config.hidden_size) {
    keys["head_dim"] = config.head_dim;
  }
  return keys;
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
  if (config.model_type == "llama" || config.model_type == "qwen2") {
    read_llama(keys, config);
  } else if (config.model_type == "gpt2") {
    read_gpt2(keys, config);
  } else if (config.model_type == "deberta-v2") {
    read_deberta(keys, config);
  } else {
    throw Error(fmt::format("{}: expected model_type to be llama, qwen2, gpt2 or deberta-v2, found '{}'", name, config.model_type));
  }
  config.vocab_size = keys.integer("vocab_size");
  config.initializer_range = keys.positive_or("initializer_range", 0.02);
  config.bos_token_id = keys.token("bos_token_id");
  config.eos_token_ids = keys.tokens("eos_token_id");
  config.pad_token_id = keys.token("pad_token_id");
  config.num_labels = label_count(keys);
  if (config.model_type != "deberta-v2") keys.need_flag("is_causal", true, true);
  keys.refuse_others(harmless_config_keys(config.model_type));
  const bool own_head_dim = config.model_type == "llama" || config.model_type == "qwen2";
  expect(own_head_dim || config.hidden_size % config.num_attention_heads == 0,
         "{}: expected a hidden size that the attention heads divide, found {} and {}", name, config.hidden_size,
         config.num_attention_heads);
  expect(config.num_attention_heads % config.num_key_value_heads == 0,
         "{}: expected key-value heads that divide the attention heads, found {} and {}", name, config.num_key_value_heads,
         config.num_attention_heads);
  return config;
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
    const std::string name = (folder / "generation_config.json").string();
    const json object = parse_json(*generation, name);
    // Its other settings are those of sampling, for which every command has options of its own.
    if (auto ends = ConfigKeys(object, name).tokens("eos_token_id"); !ends.empty()) config.eos_token_ids = std::move(ends);
  }
  return config;
}

void write_language_model_config(const LanguageModelConfig& config, const std::string& architecture, const std::filesystem::path& folder) {
  json keys = config.model_type == "gpt2"         ? gpt2_keys(config)
              : config.model_type == "deberta-v2" ? deberta_keys(config)
                                                  : llama_keys(config);
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
