#pragma once

#include <filesystem>
#include <span>

#include "paretofl/language/trainable_decoder.h"

namespace paretofl {

/// Writes config.json and model.safetensors (float32) as load_causal_lm or, of a model with a score head,
/// load_sequence_classifier and the reference library read them. Throws Error if that fails.
void write_decoder_folder(const TrainableDecoder& model, DecoderHead head, std::span<const float> theta,
                          const std::filesystem::path& folder);

/// Copies a tokenizer, given by its file or the folder that holds it, into a model's folder under the names that
/// load_tokenizer looks for. Throws Error if that fails.
void copy_tokenizer(const std::filesystem::path& from, const std::filesystem::path& folder);

}  // namespace paretofl
