#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace paretofl {

/// How a model stretches its rotary waves to more positions than it was first trained with.
struct RopeScaling {
  /// "linear" (all waves by the factor; Chen et al. 2023), "dynamic" (none within max_position_embeddings, the only lengths that are
  /// computed here), "yarn" (Peng et al. 2023), "llama3" (Grattafiori et al. 2024) or "longrope" (Ding et al. 2024).
  std::string rope_type = "llama3";
  double factor = 8;
  double low_freq_factor = 1;                            ///< llama3
  double high_freq_factor = 4;                           ///< llama3
  std::int64_t original_max_position_embeddings = 8192;  ///< llama3, yarn and longrope: positions of the first training
  double attention_factor = 1;                           ///< yarn and longrope: cosines and sines are multiplied by it
  double beta_fast = 32;                                 ///< yarn: waves with more turns than this in the first training stay
  double beta_slow = 1;                                  ///< yarn: those with fewer are stretched by the factor
  bool truncate = true;                                  ///< yarn: the bounds are whole pairs
  /// longrope: what each wave is stretched by, in sequences up to the original length and in longer ones.
  std::vector<double> short_factors = {};
  std::vector<double> long_factors = {};
};

/// Rotary positions of a kind of layers.
struct RopeSettings {
  double theta = 10000;
  std::optional<RopeScaling> scaling = {};
};

}  // namespace paretofl
