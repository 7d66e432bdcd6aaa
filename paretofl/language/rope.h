#pragma once

#include <vector>

#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// Radians per position of each of the head_dim / 2 rotated pairs (Su et al. 2021): theta^(-2 i / head_dim), stretched as
/// Llama 3 does where the config says so: long waves by the factor, short ones not, those between in proportion.
std::vector<double> rope_frequencies(const LanguageModelConfig& config);

}  // namespace paretofl
