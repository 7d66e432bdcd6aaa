#pragma once

#include <filesystem>
#include <string>

namespace paretofl {

/// Copies a folder of a model or an adapter with its floating-point tensors in another number format ("float32",
/// "bfloat16", "float16" or "float64"): model.safetensors (shards become one file) or adapter_model.safetensors, config.json
/// with its torch_dtype, and the folder's other files as they are, except weights in other formats. Tensors of integers stay as they are.
/// Throws Error if there is nothing to convert, or the target is the folder itself.
void convert_dtype(const std::filesystem::path& from, const std::filesystem::path& to, const std::string& dtype);

}  // namespace paretofl
