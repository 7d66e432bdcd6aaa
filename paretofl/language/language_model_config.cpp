#include "paretofl/language/language_model_config.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "paretofl/core/data_ledger.h"
#include "paretofl/core/error.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/whole_file.h"

namespace paretofl {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxExtent = std::int64_t{1} << 24;
constexpr std::int64_t kMaxLayers = 10'000;  // parameters are laid out for all of them before any is looked for

/// The keys of one config.json; a key that is null counts as missing.
class Keys {
 public:
  Keys(const json& object, std::string name) : object_(object), name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  const json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  const json& at(const char* key) const {
    const json* value = find(key);
    expect(value != nullptr, "{}: expected the key {}, found none", name_, key);
    return *value;
  }

  std::int64_t integer(const char* key, std::int64_t low = 1, std::int64_t high = kMaxExtent) const {
    return integer_of(at(key), key, low, high);
  }
  std::int64_t integer_or(const char* key, std::int64_t absent) const { return find(key) == nullptr ? absent : integer(key); }

  double positive(const char* key) const {
    const json& value = at(key);
    expect(value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0,
           "{}: expected {} to be a positive number, found {}", name_, key, value.dump());
    return value.get<double>();
  }
  double positive_or(const char* key, double absent) const { return find(key) == nullptr ? absent : positive(key); }

  std::string text(const char* key) const {
    const json& value = at(key);
    expect(value.is_string(), "{}: expected {} to be a text, found {}", name_, key, value.dump());
    return value.get<std::string>();
  }

  bool flag_or(const char* key, bool absent) const {
    const json* value = find(key);
    expect(value == nullptr || value->is_boolean(), "{}: expected {} to be true or false, found {}", name_, key,
           value == nullptr ? "" : value->dump());
    return value == nullptr ? absent : value->get<bool>();
  }

  /// A feature whose other values are not built.
  void need_flag(const char* key, bool built, bool absent) const {
    expect(flag_or(key, absent) == built, "{}: expected {} = {}, found {}, which is not supported", name_, key, built, !built);
  }

  std::vector<TokenId> tokens(const char* key) const {
    const json* value = find(key);
    std::vector<TokenId> ids;
    if (value == nullptr) return ids;
    for (const json& id : value->is_array() ? *value : json::array({*value})) {
      ids.push_back(static_cast<TokenId>(integer_of(id, key, -1, kMaxExtent)));
    }
    return ids;
  }

  std::optional<TokenId> token(const char* key) const {
    const std::vector<TokenId> ids = tokens(key);
    return ids.empty() || ids.front() < 0 ? std::nullopt : std::optional(ids.front());
  }

 private:
  std::int64_t integer_of(const json& value, const char* key, std::int64_t low, std::int64_t high) const {
    // An unsigned number above the signed range would wrap.
    const bool fits = value.is_number_integer() && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= kMaxExtent);
    expect(fits && value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high,
           "{}: expected {} to be an integer from {} to {}, found {}", name_, key, low, high, value.dump());
    return value.get<std::int64_t>();
  }

  const json& object_;
  std::string name_;
};

std::string activation(const Keys& keys, const char* key) {
  const std::string name = keys.text(key);
  if (name == "gelu_pytorch_tanh") return "gelu_new";
  expect(name == "silu" || name == "gelu" || name == "gelu_new", "{}: expected {} to be silu, gelu or gelu_new, found '{}'", keys.name(),
         key, name);
  return name;
}

void read_rope(const Keys& keys, LanguageModelConfig& config) {
  // The reference library calls it rope_parameters from version 5 on, with theta among them.
  const json* scaling = keys.find("rope_parameters") != nullptr ? keys.find("rope_parameters") : keys.find("rope_scaling");
  config.rope_theta = keys.positive_or("rope_theta", config.rope_theta);
  if (scaling == nullptr) return;
  expect(scaling->is_object(), "{}: expected rope_scaling to be an object, found {}", keys.name(), scaling->dump());
  const Keys rope(*scaling, keys.name() + ": rope_scaling");
  config.rope_theta = rope.positive_or("rope_theta", config.rope_theta);
  const std::string type = rope.text(rope.find("rope_type") != nullptr ? "rope_type" : "type");
  if (type == "default") return;
  expect(type == "llama3", "{}: expected rope_type to be default or llama3, found '{}'", rope.name(), type);
  config.rope_scaling = {.factor = rope.positive("factor"),
                         .low_freq_factor = rope.positive("low_freq_factor"),
                         .high_freq_factor = rope.positive("high_freq_factor"),
                         .original_max_position_embeddings = rope.integer("original_max_position_embeddings")};
  expect(config.rope_scaling->high_freq_factor > config.rope_scaling->low_freq_factor,
         "{}: expected high_freq_factor above low_freq_factor, found {} and {}", rope.name(), config.rope_scaling->high_freq_factor,
         config.rope_scaling->low_freq_factor);
}

void read_llama(const Keys& keys, LanguageModelConfig& config) {
  config.hidden_size = keys.integer("hidden_size");
  config.intermediate_size = keys.integer("intermediate_size");
  config.num_hidden_layers = keys.integer("num_hidden_layers", 1, kMaxLayers);
  config.num_attention_heads = keys.integer("num_attention_heads");
  config.num_key_value_heads = keys.integer_or("num_key_value_heads", config.num_attention_heads);
  config.head_dim = keys.integer_or("head_dim", std::max<std::int64_t>(config.hidden_size / config.num_attention_heads, 1));
  config.max_position_embeddings = keys.integer("max_position_embeddings");
  config.norm_epsilon = keys.positive("rms_norm_eps");
  config.tie_word_embeddings = keys.flag_or("tie_word_embeddings", false);
  config.hidden_act = activation(keys, "hidden_act");
  read_rope(keys, config);
  expect(config.head_dim % 2 == 0, "{}: expected an even head_dim, found {}", keys.name(), config.head_dim);
  if (config.model_type == "llama") {
    config.attention_bias = keys.flag_or("attention_bias", false);
    keys.need_flag("mlp_bias", false, false);
  } else {
    config.attention_bias = true;
    keys.need_flag("use_sliding_window", false, false);
  }
}

void read_gpt2(const Keys& keys, LanguageModelConfig& config) {
  config.hidden_size = keys.integer("n_embd");
  config.intermediate_size = keys.integer_or("n_inner", 4 * config.hidden_size);
  config.num_hidden_layers = keys.integer("n_layer", 1, kMaxLayers);
  config.num_attention_heads = keys.integer("n_head");
  config.num_key_value_heads = config.num_attention_heads;
  config.head_dim = config.hidden_size / config.num_attention_heads;
  config.max_position_embeddings = keys.integer("n_positions");
  config.norm_epsilon = keys.positive_or("layer_norm_epsilon", 1e-5);
  config.tie_word_embeddings = keys.flag_or("tie_word_embeddings", true);
  config.hidden_act = activation(keys, "activation_function");
  config.attention_bias = true;
  keys.need_flag("scale_attn_weights", true, true);
  keys.need_flag("scale_attn_by_inverse_layer_idx", false, false);
  keys.need_flag("add_cross_attention", false, false);
}

void need_content_and_position(const Keys& keys) {
  const json& terms = keys.at("pos_att_type");
  std::string joined;
  for (const json& term : terms.is_array() ? terms : json::array({terms})) {
    joined += (joined.empty() ? "" : "|") + (term.is_string() ? term.get<std::string>() : term.dump());
  }
  expect(joined == "p2c|c2p" || joined == "c2p|p2c", "{}: expected pos_att_type to be p2c and c2p, found '{}'", keys.name(), joined);
}

void read_deberta(const Keys& keys, LanguageModelConfig& config) {
  config.hidden_size = keys.integer("hidden_size");
  config.intermediate_size = keys.integer("intermediate_size");
  config.num_hidden_layers = keys.integer("num_hidden_layers", 1, kMaxLayers);
  config.num_attention_heads = keys.integer("num_attention_heads");
  config.num_key_value_heads = config.num_attention_heads;
  config.head_dim = config.hidden_size / config.num_attention_heads;
  config.max_position_embeddings = keys.integer("max_position_embeddings");
  config.norm_epsilon = keys.positive_or("layer_norm_eps", 1e-7);
  config.hidden_act = activation(keys, "hidden_act");
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
          {"pooler_hidden_act", "gelu"},
          {"pooler_dropout", 0}};
}

}  // namespace

LanguageModelConfig parse_language_model_config(const std::string& text, const std::string& name) {
  const json object = parse_json(text, name);
  expect(object.is_object(), "{}: expected a JSON object, found {}", name, object.type_name());
  const Keys keys(object, name);
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
  std::erase_if(config.eos_token_ids, [](TokenId id) { return id < 0; });
  config.pad_token_id = keys.token("pad_token_id");
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
  const std::filesystem::path path = folder / "config.json";
  std::error_code failure;
  expect(std::filesystem::exists(path, failure), "{}: expected a model's config.json, found none", folder.string());
  const std::string text = read_file(path);
  DataLedger::note(path, std::as_bytes(std::span(text)));
  return parse_language_model_config(text, path.string());
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
