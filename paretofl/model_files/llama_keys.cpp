#include "paretofl/model_files/llama_keys.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/model_files/activation_keys.h"
#include "paretofl/model_files/rope_keys.h"

namespace paretofl {
namespace {

using nlohmann::json;

// What the reference library takes for keys that are not there.
struct LlamaFamily {
  std::string_view model_type;
  std::int64_t key_value_heads = 0;  // 0: as many as attention heads
  std::int64_t head_dim = 0;         // 0: the hidden size over the attention heads
  double rope_theta = 10000;
  bool tied = false;
  TokenId pad_token_id = -1;  // -1: none
  double norm_epsilon = 1e-6;
};

constexpr std::array<LlamaFamily, 9> kFamilies = {
    {{.model_type = "llama"},
     {.model_type = "qwen2", .key_value_heads = 32},
     {.model_type = "qwen3", .key_value_heads = 32, .head_dim = 128},
     {.model_type = "mistral", .key_value_heads = 8},
     {.model_type = "smollm3", .key_value_heads = 4, .rope_theta = 2e6, .tied = true, .pad_token_id = 128004},
     {.model_type = "phi3", .pad_token_id = 32000, .norm_epsilon = 1e-5},
     {.model_type = "gemma", .key_value_heads = 16, .head_dim = 256, .tied = true, .pad_token_id = 0},
     {.model_type = "gemma2", .key_value_heads = 4, .head_dim = 256, .tied = true, .pad_token_id = 0},
     {.model_type = "gemma3_text", .key_value_heads = 4, .head_dim = 256, .rope_theta = 1e6, .tied = true, .pad_token_id = 0}}};

const LlamaFamily* find_family(std::string_view model_type) {
  const auto* const found =
      std::find_if(kFamilies.begin(), kFamilies.end(), [&](const LlamaFamily& family) { return family.model_type == model_type; });
  return found == kFamilies.end() ? nullptr : &*found;
}

/// The second and the third one.
bool is_later_gemma(const LanguageModelConfig& config) { return config.model_type.starts_with("gemma") && config.model_type != "gemma"; }

// `window` tokens, or 0 for a layer that sees all, of each layer: as layer_types says, or where that is missing as `slides` does.
template <class Slides>
void set_windows(const ConfigKeys& keys, std::int64_t window, const Slides& slides, LanguageModelConfig& config) {
  const auto layers = static_cast<std::size_t>(config.num_hidden_layers);
  const json* types = keys.find("layer_types");
  const bool list = types == nullptr || (types->is_array() && types->size() == layers);
  expect(list, "{}: expected layer_types to be a list of {} kinds of attention, found {}", keys.name(), layers,
         types == nullptr ? "" : types->dump());
  std::vector<std::int64_t> windows(layers);
  for (std::size_t l = 0; l < layers; ++l) {
    const json type = types != nullptr ? (*types)[l] : json(slides(l) ? "sliding_attention" : "full_attention");
    if (type == "full_attention") continue;
    expect(type == "sliding_attention",
           "{}: expected layer_types of full_attention and sliding_attention, found {}, which is not supported", keys.name(), type.dump());
    expect(window > 0, "{}: expected a sliding_window that is used, since layer {} has one, found none", keys.name(), l);
    windows[l] = window;
  }
  if (std::any_of(windows.begin(), windows.end(), [](std::int64_t w) { return w > 0; })) config.windows = std::move(windows);
}

std::int64_t sliding_window(const ConfigKeys& keys, std::int64_t absent) {
  if (!keys.written("sliding_window")) return absent;
  return keys.find("sliding_window") == nullptr ? 0 : keys.integer("sliding_window");
}

void read_qwen_windows(const ConfigKeys& keys, LanguageModelConfig& config) {
  const bool used = keys.flag_or("use_sliding_window", false);
  keys.find("sliding_window");
  keys.find("max_window_layers");
  const std::int64_t window = used ? sliding_window(keys, 4096) : 0;
  const std::int64_t first = !used || keys.find("max_window_layers") == nullptr ? 28 : keys.integer("max_window_layers", 0);
  set_windows(
      keys, window, [&](std::size_t layer) { return window > 0 && static_cast<std::int64_t>(layer) >= first; }, config);
}

void read_mistral_windows(const ConfigKeys& keys, LanguageModelConfig& config) {
  const std::int64_t window = sliding_window(keys, 4096);
  set_windows(
      keys, window, [&](std::size_t) { return window > 0; }, config);
  // The reference library knows no kinds of layers in this family.
  const bool every = window == 0 || std::count(config.windows.begin(), config.windows.end(), window) == config.num_hidden_layers;
  expect(every, "{}: expected layer_types to say the same as sliding_window, found layers without a window", keys.name());
}

void read_phi3(const ConfigKeys& keys, LanguageModelConfig& config) {
  const std::int64_t window = sliding_window(keys, 0);
  set_windows(
      keys, window, [&](std::size_t) { return window > 0; }, config);
  config.fused_projections = true;
  for (const char* key : {"full_attn_mod", "interpolate_factor"}) keys.need_number(key, 1);
}

void read_smollm3_layers(const ConfigKeys& keys, LanguageModelConfig& config) {
  const auto layers = static_cast<std::size_t>(config.num_hidden_layers);
  keys.find("no_rope_layer_interval");
  std::vector<bool> rotated(layers);
  if (const json* list = keys.find("no_rope_layers")) {
    const auto is_flag = [](const json& value) { return value.is_number_unsigned() && value.get<std::uint64_t>() <= 1; };
    expect(list->is_array() && list->size() >= layers && std::all_of(list->begin(), list->end(), is_flag),
           "{}: expected no_rope_layers to be a list of at least {} numbers that are 0 or 1, found {}", keys.name(), layers, list->dump());
    for (std::size_t l = 0; l < layers; ++l) rotated[l] = (*list)[l] == 1;
  } else {
    const std::int64_t interval = keys.integer_or("no_rope_layer_interval", 4);
    for (std::size_t l = 0; l < layers; ++l) rotated[l] = (static_cast<std::int64_t>(l) + 1) % interval != 0;
  }
  const bool used = keys.flag_or("use_sliding_window", false);
  keys.find("sliding_window");
  const std::int64_t window = used ? sliding_window(keys, 0) : 0;
  set_windows(
      keys, window, [&](std::size_t layer) { return window > 0 && !rotated[layer]; }, config);
  config.rotated = std::move(rotated);
}

// Gemma: what all of them have.
void read_gemma_scales(const ConfigKeys& keys, LanguageModelConfig& config) {
  config.norm_offset = 1;
  config.embedding_scale = std::sqrt(static_cast<double>(config.hidden_size));
  keys.need_flag("use_bidirectional_attention", false, false);
}

// The reference library takes the GELU of the first one's files, which is by the error function, for that by tanh.
std::string first_gemma_activation(const ConfigKeys& keys) {
  const auto by_tanh = [&](const char* key, const char* absent) {
    const std::string found = hidden_activation(keys, key, absent);
    return found == "gelu" ? std::string("gelu_new") : found;
  };
  std::string activation = by_tanh("hidden_act", "gelu_new");
  // Null in some of the published files.
  const std::string newer = keys.find("hidden_activation") == nullptr ? activation : by_tanh("hidden_activation", "gelu_new");
  expect(newer == activation, "{}: expected hidden_act and hidden_activation to be the same, found {} and {}", keys.name(), activation,
         newer);
  return activation;
}

void read_later_gemma(const ConfigKeys& keys, LanguageModelConfig& config) {
  read_gemma_scales(keys, config);
  const bool third = config.model_type == "gemma3_text";
  const std::int64_t period = third ? keys.integer_or("sliding_window_pattern", 6) : 2;
  set_windows(
      keys, sliding_window(keys, 4096), [&](std::size_t layer) { return (static_cast<std::int64_t>(layer) + 1) % period != 0; }, config);
  config.qk_norm = third;
  config.norms_around = true;
  config.attention_scale = 1 / std::sqrt(keys.positive_or("query_pre_attn_scalar", 256));
  const auto cap = [&](const char* key, double absent) {
    if (!keys.written(key)) return absent;
    return keys.positive_or(key, 0);
  };
  config.logit_cap = cap("final_logit_softcapping", third ? 0 : 30);
  // The reference library has the key in the third family too, and does not use it there.
  if (!third) config.attention_cap = cap("attn_logit_softcapping", 50);
}

}  // namespace

bool is_llama_family(std::string_view model_type) { return find_family(model_type) != nullptr; }

void read_llama_family(const ConfigKeys& keys, LanguageModelConfig& config) {
  const LlamaFamily& family = *find_family(config.model_type);
  config.hidden_size = keys.integer("hidden_size");
  config.intermediate_size = keys.integer("intermediate_size");
  config.num_hidden_layers = keys.integer("num_hidden_layers", 1, kMaxConfigLayers);
  config.num_attention_heads = keys.integer("num_attention_heads");
  // Null takes that of the attention heads in all families.
  const bool left_out = family.key_value_heads > 0 && !keys.written("num_key_value_heads");
  config.num_key_value_heads = keys.integer_or("num_key_value_heads", left_out ? family.key_value_heads : config.num_attention_heads);
  const std::int64_t share = std::max<std::int64_t>(config.hidden_size / config.num_attention_heads, 1);
  config.head_dim = keys.integer_or("head_dim", family.head_dim > 0 ? family.head_dim : share);
  config.max_position_embeddings = keys.integer("max_position_embeddings");
  config.norm_epsilon = keys.positive_or("rms_norm_eps", family.norm_epsilon);
  config.tie_word_embeddings = keys.flag_or("tie_word_embeddings", family.tied);
  if (config.model_type == "gemma") {
    config.hidden_act = first_gemma_activation(keys);
  } else {
    config.hidden_act =
        is_later_gemma(config) ? hidden_activation(keys, "hidden_activation", "gelu_new") : hidden_activation(keys, "hidden_act", "silu");
  }
  read_rope(keys, family.rope_theta, config);
  expect(config.head_dim % 2 == 0, "{}: expected an even head_dim, found {}", keys.name(), config.head_dim);
  if (family.pad_token_id >= 0 && !keys.written("pad_token_id")) config.pad_token_id = family.pad_token_id;
  if (config.model_type == "qwen2") {
    config.attention_bias = true;
  } else if (config.model_type != "mistral" && config.model_type != "phi3") {
    config.attention_bias = keys.flag_or("attention_bias", false);
    config.output_bias = config.attention_bias;
  }
  if (config.model_type == "llama" || config.model_type == "smollm3") keys.need_flag("mlp_bias", false, false);
  config.qk_norm = config.model_type == "qwen3";
  if (config.model_type == "llama" || config.model_type == "gemma") {
    set_windows(
        keys, 0, [](std::size_t) { return false; }, config);
    if (config.model_type == "gemma") read_gemma_scales(keys, config);
  } else if (config.model_type == "qwen2" || config.model_type == "qwen3") {
    read_qwen_windows(keys, config);
  } else if (config.model_type == "mistral") {
    read_mistral_windows(keys, config);
  } else if (config.model_type == "phi3") {
    read_phi3(keys, config);
  } else if (config.model_type == "smollm3") {
    read_smollm3_layers(keys, config);
  } else {
    read_later_gemma(keys, config);
  }
}

json llama_family_keys(const LanguageModelConfig& config) {
  json keys = {{"hidden_size", config.hidden_size},
               {"intermediate_size", config.intermediate_size},
               {"num_hidden_layers", config.num_hidden_layers},
               {"num_attention_heads", config.num_attention_heads},
               {"num_key_value_heads", config.num_key_value_heads},
               {"max_position_embeddings", config.max_position_embeddings},
               {"rms_norm_eps", config.norm_epsilon},
               {"tie_word_embeddings", config.tie_word_embeddings}};
  write_rope(config, keys);
  const std::string& type = config.model_type;
  const std::string activation = config.hidden_act == "gelu_new" ? "gelu_pytorch_tanh" : config.hidden_act;
  if (is_later_gemma(config)) {
    keys["hidden_activation"] = activation;
  } else if (type == "gemma") {  // older versions read the one, newer ones the other
    keys["hidden_act"] = keys["hidden_activation"] = activation;
  } else {
    keys["hidden_act"] = config.hidden_act;
  }
  if (type == "llama" || type == "smollm3") keys["mlp_bias"] = false;
  if (type != "qwen2" && type != "mistral" && type != "phi3") keys["attention_bias"] = config.attention_bias;
  // The library's older readers of these two know no head_dim of its own.
  const bool usual =
      (type == "qwen2" || type == "smollm3" || type == "phi3") && config.head_dim * config.num_attention_heads == config.hidden_size;
  if (!usual) keys["head_dim"] = config.head_dim;
  const std::int64_t window = config.windows.empty() ? 0 : *std::max_element(config.windows.begin(), config.windows.end());
  if (type == "mistral" || type == "phi3" || window > 0) keys["sliding_window"] = window > 0 ? json(window) : json(nullptr);
  if (window > 0 && (type.starts_with("qwen") || type == "smollm3")) keys["use_sliding_window"] = true;
  if ((window > 0 && type != "mistral" && type != "phi3") || is_later_gemma(config)) {
    keys["layer_types"] = json::array();
    for (std::int64_t l = 0; l < config.num_hidden_layers; ++l) {
      keys["layer_types"].push_back(config.window(static_cast<std::size_t>(l)) > 0 ? "sliding_attention" : "full_attention");
    }
  }
  if (type == "smollm3") {
    keys["no_rope_layers"] = json::array();
    for (std::int64_t l = 0; l < config.num_hidden_layers; ++l) {
      keys["no_rope_layers"].push_back(config.rotates(static_cast<std::size_t>(l)) ? 1 : 0);
    }
  }
  if (is_later_gemma(config)) {
    const double scalar = 1 / (config.attention_scale * config.attention_scale);
    const double whole = std::round(scalar);  // the library wants an integer where it is one
    keys["query_pre_attn_scalar"] = std::abs(scalar - whole) < 1e-9 * whole ? json(static_cast<std::int64_t>(whole)) : json(scalar);
    keys["final_logit_softcapping"] = config.logit_cap > 0 ? json(config.logit_cap) : json(nullptr);
    if (type == "gemma2") keys["attn_logit_softcapping"] = config.attention_cap > 0 ? json(config.attention_cap) : json(nullptr);
  }
  return keys;
}

}  // namespace paretofl
