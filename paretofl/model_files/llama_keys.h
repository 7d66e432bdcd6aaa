#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "paretofl/model_files/config_keys.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// Whether a model type is one of the families that share Llama's layout of a layer, whose features LanguageModelConfig holds one by one.
bool is_llama_family(std::string_view model_type);

/// Reads what such a family's config.json says, with the family's own defaults. Throws Error naming the file on a missing or impossible
/// value and on a feature that is not built.
void read_llama_family(const ConfigKeys& keys, LanguageModelConfig& config);

/// The keys that read_llama_family reads.
nlohmann::json llama_family_keys(const LanguageModelConfig& config);

}  // namespace paretofl
