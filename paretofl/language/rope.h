#pragma once

#include <optional>
#include <vector>

#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// The rotary positions of a kind of layers, or of a kind of sequences (Su et al. 2021).
struct RopeWaves {
  std::vector<double> frequencies;  ///< [rotated width / 2] radians per position of each rotated pair
  double amplitude = 1;             ///< cosines and sines are multiplied by it
};

/// theta^(-2 i / width), stretched as `settings` says: by a factor (linear), as Llama 3 does (long waves by the factor, short ones not,
/// those between in proportion to their turns), as YaRN does (the same in proportion to the number of the pair, with an amplitude) or as
/// LongRoPE does (each by a factor of its own, the short ones or with `beyond` the long ones, with an amplitude). Dynamic scaling changes
/// nothing within max_position_embeddings. `width` is that of a head that is rotated.
RopeWaves rope_waves(const RopeSettings& settings, std::int64_t width, bool beyond = false);

/// Of the layers of a model: those that see all tokens, or those with a window. Both are the same but for Gemma 3.
RopeWaves rope_waves(const LanguageModelConfig& config, bool local);

/// Those of sequences that are longer than the original length; nothing without LongRoPE.
std::optional<RopeWaves> rope_waves_beyond(const LanguageModelConfig& config);

/// Whether a prompt of `prompt` tokens is within LongRoPE's original length and up to `further` more tokens could go beyond it. Such a
/// completion can't be drawn with a cache, whose keys would belong to other frequencies. False without LongRoPE.
bool may_cross_original_length(const LanguageModelConfig& config, std::int64_t prompt, std::int64_t further);

}  // namespace paretofl
