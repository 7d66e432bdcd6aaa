#include "paretofl/language/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace paretofl {
namespace {

// The share of Llama 3's waves that stays as it is, by how many fit into the original context, which is what the two bounds count.
double llama3_kept(const RopeScaling& scaling, double frequency) {
  const double waves = static_cast<double>(scaling.original_max_position_embeddings) * frequency / (2 * std::numbers::pi);
  return std::clamp((waves - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor), 0.0, 1.0);
}

// The numbers of the pairs between which YaRN goes from waves that stay to waves that are stretched (equations 17 and 18).
std::pair<double, double> yarn_bounds(const RopeScaling& scaling, double theta, double head_dim) {
  const auto pair_with_turns = [&](double turns) {
    const auto length = static_cast<double>(scaling.original_max_position_embeddings);
    return head_dim * std::log(length / (turns * 2 * std::numbers::pi)) / (2 * std::log(theta));
  };
  double low = pair_with_turns(scaling.beta_fast), high = pair_with_turns(scaling.beta_slow);
  if (scaling.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, head_dim - 1);
  return {low, high == low ? high + 0.001 : high};
}

}  // namespace

RopeWaves rope_waves(const RopeSettings& settings, std::int64_t width, bool beyond) {
  const auto numbers = static_cast<double>(width);
  RopeWaves waves{.frequencies = std::vector<double>(static_cast<std::size_t>(width / 2))};
  const RopeScaling scaling = settings.scaling.value_or(RopeScaling{.rope_type = "default"});
  const bool yarn = scaling.rope_type == "yarn";
  const bool longrope = scaling.rope_type == "longrope";
  const std::pair<double, double> bounds = yarn ? yarn_bounds(scaling, settings.theta, numbers) : std::pair(0.0, 0.0);
  if (yarn || longrope) waves.amplitude = scaling.attention_factor;
  for (std::size_t i = 0; i < waves.frequencies.size(); ++i) {
    double& frequency = waves.frequencies[i];
    frequency = std::pow(settings.theta, -2.0 * static_cast<double>(i) / numbers);
    if (longrope) frequency /= (beyond ? scaling.long_factors : scaling.short_factors)[i];
    double kept = 1;
    if (scaling.rope_type == "linear") kept = 0;
    if (scaling.rope_type == "llama3") kept = llama3_kept(scaling, frequency);
    if (yarn) kept = 1 - std::clamp((static_cast<double>(i) - bounds.first) / (bounds.second - bounds.first), 0.0, 1.0);
    if (kept < 1) frequency *= kept + (1 - kept) / scaling.factor;
  }
  return waves;
}

RopeWaves rope_waves(const LanguageModelConfig& config, bool local) {
  if (local && config.local_rope) return rope_waves(*config.local_rope, config.rotated_width());
  return rope_waves({.theta = config.rope_theta, .scaling = config.rope_scaling}, config.rotated_width());
}

std::optional<RopeWaves> rope_waves_beyond(const LanguageModelConfig& config) {
  if (!config.rope_scaling || config.rope_scaling->rope_type != "longrope") return std::nullopt;
  return rope_waves({.theta = config.rope_theta, .scaling = config.rope_scaling}, config.rotated_width(), true);
}

bool may_cross_original_length(const LanguageModelConfig& config, std::int64_t prompt, std::int64_t further) {
  if (!config.rope_scaling || config.rope_scaling->rope_type != "longrope") return false;
  const std::int64_t original = config.rope_scaling->original_max_position_embeddings;
  return prompt <= original && prompt + further > original;
}

}  // namespace paretofl
