#include "paretofl/model_files/rope_keys.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using nlohmann::json;

constexpr const char* kOriginal = "original_max_position_embeddings";

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
  rope.need_number("partial_rotary_factor", 1);
  const char* key = rope.find("rope_type") != nullptr ? "rope_type" : "type";
  rope.find("type");  // an older name, which does not count where both are there
  const std::string type = rope.find(key) == nullptr ? "default" : rope.text(key);
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
  keys.need_number("partial_rotary_factor", 1);
  keys.find(kOriginal);
  if (config.model_type == "gemma3_text") return read_two_ropes(keys, theta, config);
  config.rope_theta = keys.positive_or("rope_theta", theta);
  const json* older = rope_object(keys, "rope_scaling");
  const json* newer = rope_object(keys, "rope_parameters");
  const json* found = older != nullptr ? older : newer;
  if (found == nullptr) return;
  const ConfigKeys rope(*found, keys.name() + (older != nullptr ? ": rope_scaling" : ": rope_parameters"));
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
  if (config.local_rope) keys["rope_local_base_freq"] = config.local_rope->theta;
}

}  // namespace paretofl
