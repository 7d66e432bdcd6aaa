#pragma once

#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// Names and shapes of all tensors of a DeBERTa-v3 sequence classifier with one output, as published checkpoints have them.
std::vector<Slice> deberta_slices(const LanguageModelConfig& config);

}  // namespace paretofl
