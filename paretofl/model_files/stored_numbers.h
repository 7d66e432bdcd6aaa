#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "paretofl/model_files/safetensors.h"

namespace paretofl {

/// The type of floating-point tensors called "float32", "float16", "bfloat16" or "float64". Throws Error on other names.
TensorType floating_type(std::string_view name);

/// A floating-point tensor's numbers in float32, rounded to nearest. Throws Error, with `name` for the tensor, on other types.
std::vector<float> to_float32(const StoredTensor& tensor, std::string_view name);

/// The same numbers as they are stored in another floating-point type, rounded to nearest even.
std::vector<std::byte> stored_as(const StoredTensor& tensor, TensorType type, std::string_view name);

}  // namespace paretofl
