#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// A Llama of the llama2.c project: configuration, and tensors by the names and in the shapes of decoder_slices.
struct Llama2cModel {
  LanguageModelConfig config;
  std::map<std::string, std::vector<float>> tensors;
};

/// Reads a checkpoint of llama2.c's first format: seven int32 (dim, hidden_dim, n_layers, n_heads, n_kv_heads, vocab_size,
/// seq_len; a negative vocab_size means a classifier of its own), then float32 tensors. Its rotary pairs are neighbours; the
/// rows of q_proj and k_proj are put in the order that rotates halves. Throws Error, with `name` for the bytes, on sizes
/// that are impossible or don't match the file's.
Llama2cModel parse_llama2c(std::span<const std::byte> bytes, const std::string& name);

/// Writes config.json and model.safetensors of such a checkpoint into a folder, which is made where there is none.
void convert_llama2c(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace paretofl
