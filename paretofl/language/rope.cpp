#include "paretofl/language/rope.h"

#include <cmath>
#include <numbers>

namespace paretofl {

std::vector<double> rope_frequencies(const LanguageModelConfig& config) {
  std::vector<double> frequencies(static_cast<std::size_t>(config.head_dim / 2));
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    double& frequency = frequencies[i];
    frequency = std::pow(config.rope_theta, -2.0 * static_cast<double>(i) / static_cast<double>(config.head_dim));
    if (!config.rope_scaling) continue;
    const Llama3RopeScaling& scaling = *config.rope_scaling;
    // Waves that fit into the original context, which is what the two bounds count.
    const double waves = static_cast<double>(scaling.original_max_position_embeddings) * frequency / (2 * std::numbers::pi);
    if (waves > scaling.high_freq_factor) continue;
    const double kept =
        waves < scaling.low_freq_factor ? 0 : (waves - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor);
    frequency *= kept + (1 - kept) / scaling.factor;
  }
  return frequencies;
}

}  // namespace paretofl
