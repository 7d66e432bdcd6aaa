#pragma once

#include <filesystem>

#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// The config with tie_word_embeddings off where the folder's files hold an lm_head.weight that is not the embeddings: what is
/// stored counts, as in the reference library from version 5 on. Throws Error if a tensor is missing or the files are damaged.
LanguageModelConfig with_stored_head(LanguageModelConfig config, const std::filesystem::path& folder);

}  // namespace paretofl
