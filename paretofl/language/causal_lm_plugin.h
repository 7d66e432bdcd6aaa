#pragma once

#include <filesystem>

#include "paretofl/language/causal_lm.h"

namespace paretofl {

/// The function behind load_causal_lm and random_causal_lm in the library of LibTorch's models: parameters from the folder,
/// or, where that is null, drawn from `random`. The caller owns the model. Throws Error like these.
extern "C" CausalLm* paretofl_make_causal_lm(const LanguageModelConfig& config, const std::filesystem::path* folder, const Random* random,
                                             const LoraOptions& lora, const ModelPlacement& placement);

}  // namespace paretofl
