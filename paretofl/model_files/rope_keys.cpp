#include "paretofl/model_files/rope_keys.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using nlohmann::json;

constexpr const char* kOriginal = "original_max_position_embeddings";
constexpr const char* kPartial = "partial_rotary_factor";

// The attention factor of YaRN (Peng et al. 2023, equation 22), with the weights that later models gave its two parts.
double yarn_attention_factor(const ConfigKeys& rope, double factor) {
  const double weight = rope.number_or("mscale", 0);
  const double weight_below = rope.number_or("mscale_all_dim", 0);
  const auto grown = [factor](double by) { return factor <= 1 ? 1 : 0.1 * by * std::log(factor) + 1; };
  const double inferred = weight != 0 && weight_below != 0 ? grown(weight) / grown(weight_below) : grown(1);
  const double found = rope.positive_or("attention_factor", inferred);
  expect(is_positive_float(found), "{}: expected mscale and mscale_all_dim that give a positive attention factor, found {} and {}",
         rope.name(), weight, weight_below);
  return found;
}

// The factors of a longrope, one for each rotated pair.
std::vector<double> wave_factors(const ConfigKeys& rope, const char* key, const LanguageModelConfig& config) {
  const json& list = rope.at(key);
  const auto pairs = static_cast<std::size_t>(config.rotated_width() / 2);
  const bool fits = list.is_array() && list.size() == pairs && std::all_of(list.begin(), list.end(), [](const json& factor) {
                      return factor.is_number() && is_positive_float(factor.get<double>());
                    });
  expect(fits, "{}: expected {} to be a list of {} positive numbers, one for each rotated pair, found {}", rope.name(), key, pairs,
         list.is_array() ? fmt::format("a list of {}", list.size()) : list.type_name());
  return list.get<std::vector<double>>();
}

// The amplitude that Ding et al. 2024 give to positions stretched by this factor.
double longrope_attention_factor(double factor, std::int64_t original) {
  return factor <= 1 ? 1 : std::sqrt(1 + std::log(factor) / std::log(static_cast<double>(original)));
}

// Phi-3 has a default for the original length beside the rope's object, where the reference library does not look for it.
RopeScaling read_longrope(const ConfigKeys& rope, const ConfigKeys& keys, const LanguageModelConfig& config) {
  RopeScaling scaling{.rope_type = "longrope"};
  scaling.original_max_position_embeddings = keys.integer_or(kOriginal, 4096);
  const std::int64_t inside = rope.integer_or(kOriginal, scaling.original_max_position_embeddings);
  expect(inside == scaling.original_max_position_embeddings, "{}: expected {} to be the same as outside, {}, found {}", rope.name(),
         kOriginal, scaling.original_max_position_embeddings, inside);
  const double factor = static_cast<double>(config.max_position_embeddings) / static_cast<double>(scaling.original_max_position_embeddings);
  scaling.attention_factor = rope.positive_or(
      "attention_factor", longrope_attention_factor(rope.positive_or("factor", factor), scaling.original_max_position_embeddings));
  expect(is_positive_float(scaling.attention_factor), "{}: expected lengths that give a positive attention factor, found {} and {}",
         rope.name(), config.max_position_embeddings, scaling.original_max_position_embeddings);
  scaling.short_factors = wave_factors(rope, "short_factor", config);
  scaling.long_factors = wave_factors(rope, "long_factor", config);
  return scaling;
}

// `keys` are those around `rope`, where the original length may stand too and counts first.
RopeScaling read_scaling(const ConfigKeys& rope, const ConfigKeys& keys, const std::string& type, const LanguageModelConfig& config) {
  RopeScaling scaling{.rope_type = type};
  const bool inferred = type == "yarn" && rope.written("factor") && rope.find("factor") == nullptr;
  if (!inferred) scaling.factor = rope.positive("factor");
  if (type == "linear") return scaling;
  if (type == "dynamic") {
    expect(scaling.factor >= 1, "{}: expected a factor of at least 1, found {}", rope.name(), scaling.factor);
    return scaling;
  }
  scaling.original_max_position_embeddings = rope.integer_or(kOriginal, config.max_position_embeddings);
  if (keys.find(kOriginal) != nullptr) scaling.original_max_position_embeddings = keys.integer(kOriginal);
  if (type == "llama3") {
    scaling.low_freq_factor = rope.positive("low_freq_factor");
    scaling.high_freq_factor = rope.positive("high_freq_factor");
    expect(scaling.high_freq_factor > scaling.low_freq_factor, "{}: expected high_freq_factor above low_freq_factor, found {} and {}",
           rope.name(), scaling.high_freq_factor, scaling.low_freq_factor);
    return scaling;
  }
  if (inferred) {
    scaling.factor = static_cast<double>(config.max_position_embeddings) / static_cast<double>(scaling.original_max_position_embeddings);
  }
  scaling.attention_factor = yarn_attention_factor(rope, scaling.factor);
  scaling.beta_fast = rope.positive_or("beta_fast", scaling.beta_fast);
  scaling.beta_slow = rope.positive_or("beta_slow", scaling.beta_slow);
  scaling.truncate = rope.flag_or("truncate", true);
  expect(scaling.beta_fast > scaling.beta_slow, "{}: expected beta_fast above beta_slow, found {} and {}", rope.name(), scaling.beta_fast,
         scaling.beta_slow);
  return scaling;
}

RopeSettings read_settings(const ConfigKeys& rope, const ConfigKeys& keys, double theta, const LanguageModelConfig& config) {
  RopeSettings settings{.theta = rope.positive_or("rope_theta", theta)};
  if (config.model_type == "phi3") {
    rope.find(kPartial);
  } else {
    rope.need_number(kPartial, 1);
  }
  const char* key = rope.find("rope_type") != nullptr ? "rope_type" : "type";
  rope.find("type");  // an older name, which does not count where both are there
  const std::string type = rope.find(key) == nullptr ? "default" : rope.text(key);
  if (config.model_type == "phi3") {  // which has older names of the same
    const bool longrope = type == "longrope" || type == "su" || type == "yarn";
    expect(longrope || type == "default", "{}: expected rope_type to be default or longrope in phi3, found '{}'", rope.name(), type);
    if (longrope) settings.scaling = read_longrope(rope, keys, config);
    rope.refuse_others({});
    return settings;
  }
  const bool built = type == "default" || type == "linear" || type == "dynamic" || type == "yarn" || type == "llama3";
  expect(built, "{}: expected rope_type to be default, linear, dynamic, yarn or llama3, found '{}'", rope.name(), type);
  if (type != "default") settings.scaling = read_scaling(rope, keys, type, config);
  if (type == "yarn") {
    expect(settings.theta > 1, "{}: expected a rope_theta above 1, found {}", rope.name(), settings.theta);
  }
  rope.refuse_others({});
  return settings;
}

const json* rope_object(const ConfigKeys& keys, const char* key) {
  const json* found = keys.find(key);
  return found == nullptr || (found->is_object() && found->empty()) ? nullptr : found;
}

// The object of the rope that counts; null without one.
const json* counted_rope(const ConfigKeys& keys, bool* older = nullptr) {
  const json* scaling = rope_object(keys, "rope_scaling");
  const json* parameters = rope_object(keys, "rope_parameters");
  if (older != nullptr) *older = scaling != nullptr;
  return scaling != nullptr ? scaling : parameters;
}

// Phi-3: the share of a head's numbers that are rotated stands in the rope's object or beside it.
void read_rotary_dim(const ConfigKeys& keys, LanguageModelConfig& config) {
  double share = keys.positive_or(kPartial, 1);
  if (const json* rope = counted_rope(keys); rope != nullptr && rope->is_object()) {
    share = ConfigKeys(*rope, keys.name() + ": rope").positive_or(kPartial, share);
  }
  const auto width = static_cast<std::int64_t>(static_cast<double>(config.head_dim) * share);
  expect(share <= 1 && width >= 2 && width % 2 == 0,
         "{}: expected a partial_rotary_factor of at most 1 that rotates an even number of the {} numbers of a head, found {}", keys.name(),
         config.head_dim, share);
  if (width < config.head_dim) config.rotary_dim = width;
}

// Gemma 3: layers that see a window have settings of their own.
void read_two_ropes(const ConfigKeys& keys, double theta, LanguageModelConfig& config) {
  json full = json::object(), local = json::object();
  if (const json* both = rope_object(keys, "rope_parameters")) {
    const ConfigKeys kinds(*both, keys.name() + ": rope_parameters");
    if (const json* found = kinds.find("full_attention")) full = *found;
    if (const json* found = kinds.find("sliding_attention")) local = *found;
    kinds.refuse_others({});
  }
  const std::string name = keys.name() + ": rope_parameters: ";
  expect(full.is_object(), "{}full_attention: expected a JSON object, found {}", name, full.type_name());
  if (const json* older = rope_object(keys, "rope_scaling")) {
    expect(older->is_object(), "{}: rope_scaling: expected a JSON object, found {}", keys.name(), older->type_name());
    full.update(*older);
  }
  const RopeSettings settings =
      read_settings(ConfigKeys(full, name + "full_attention"), keys, keys.positive_or("rope_theta", theta), config);
  config.rope_theta = settings.theta;
  config.rope_scaling = settings.scaling;
  config.local_rope =
      read_settings(ConfigKeys(local, name + "sliding_attention"), keys, keys.positive_or("rope_local_base_freq", 10000), config);
}

// In the form of the first versions that read it, which know no other keys. Later ones infer the same.
json longrope_keys(const RopeScaling& scaling, const LanguageModelConfig& config) {
  json keys = {{"type", "longrope"}, {"short_factor", scaling.short_factors}, {"long_factor", scaling.long_factors}};
  const double factor = static_cast<double>(config.max_position_embeddings) / static_cast<double>(scaling.original_max_position_embeddings);
  const bool inferred = scaling.attention_factor == longrope_attention_factor(factor, scaling.original_max_position_embeddings);
  if (!inferred) keys["attention_factor"] = scaling.attention_factor;
  return keys;
}

json scaling_keys(const RopeScaling& scaling) {
  json keys = {{"rope_type", scaling.rope_type}, {"factor", scaling.factor}};
  if (scaling.rope_type == "llama3" || scaling.rope_type == "yarn") keys[kOriginal] = scaling.original_max_position_embeddings;
  if (scaling.rope_type == "llama3") {
    keys["low_freq_factor"] = scaling.low_freq_factor;
    keys["high_freq_factor"] = scaling.high_freq_factor;
  }
  if (scaling.rope_type == "yarn") {
    keys["attention_factor"] = scaling.attention_factor;
    keys["beta_fast"] = scaling.beta_fast;
    keys["beta_slow"] = scaling.beta_slow;
    keys["truncate"] = scaling.truncate;
  }
  return keys;
}

json settings_keys(const RopeSettings& settings) {
  json keys = settings.scaling ? scaling_keys(*settings.scaling) : json{{"rope_type", "default"}};
  keys["rope_theta"] = settings.theta;
  return keys;
}

}  // namespace

void read_rope(const ConfigKeys& keys, double theta, LanguageModelConfig& config) {
  if (config.model_type == "phi3") {
    read_rotary_dim(keys, config);
  } else {
    keys.need_number(kPartial, 1);
  }
  keys.find(kOriginal);
  if (config.model_type == "gemma3_text") return read_two_ropes(keys, theta, config);
  config.rope_theta = keys.positive_or("rope_theta", theta);
  bool older = false;
  const json* found = counted_rope(keys, &older);
  if (found == nullptr) return;
  const ConfigKeys rope(*found, keys.name() + (older ? ": rope_scaling" : ": rope_parameters"));
  const RopeSettings settings = read_settings(rope, keys, config.rope_theta, config);
  config.rope_theta = settings.theta;
  config.rope_scaling = settings.scaling;
}

void write_rope(const LanguageModelConfig& config, json& keys) {
  if (config.local_rope && config.local_rope->scaling) {  // older versions cannot say this
    keys["rope_parameters"] = {{"full_attention", settings_keys({.theta = config.rope_theta, .scaling = config.rope_scaling})},
                               {"sliding_attention", settings_keys(*config.local_rope)}};
    return;
  }
  keys["rope_theta"] = config.rope_theta;
  keys["rope_scaling"] = config.rope_scaling ? scaling_keys(*config.rope_scaling) : json(nullptr);
  if (config.rope_scaling && config.rope_scaling->rope_type == "longrope") {
    keys["rope_scaling"] = longrope_keys(*config.rope_scaling, config);
    keys[kOriginal] = config.rope_scaling->original_max_position_embeddings;
  }
  if (config.rotary_dim > 0) {
    const auto width = static_cast<double>(config.rotary_dim);
    const auto all = static_cast<double>(config.head_dim);
    // Readers take the whole part of the product, which must not be one less by rounding.
    keys[kPartial] = static_cast<std::int64_t>(width / all * all) == config.rotary_dim ? width / all : (width + 0.5) / all;
  }
  if (config.local_rope) keys["rope_local_base_freq"] = config.local_rope->theta;
}

}  // namespace paretofl
