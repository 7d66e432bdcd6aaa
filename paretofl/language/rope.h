#pragma once

#include <vector>

#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// The rotary positions of a kind of layers (Su et al. 2021).
struct RopeWaves {
  std::vector<double> frequencies;  ///< [head_dim / 2] radians per position of each rotated pair
  double amplitude = 1;             ///< cosines and sines are multiplied by it
};

/// theta^(-2 i / head_dim), stretched as `settings` says: by a factor (linear), as Llama 3 does (long waves by the factor, short ones not,
/// those between in proportion to their turns) or as YaRN does (the same in proportion to the number of the pair, with an amplitude).
/// Dynamic scaling changes nothing within max_position_embeddings.
RopeWaves rope_waves(const RopeSettings& settings, std::int64_t head_dim);

/// Of the layers of a model: those that see all tokens, or those with a window. Both are the same but for Gemma 3.
RopeWaves rope_waves(const LanguageModelConfig& config, bool local);

}  // namespace paretofl
