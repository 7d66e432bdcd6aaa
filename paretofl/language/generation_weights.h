#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// The number format of the base model's matrices when completions are drawn.
enum class GenerationWeights {
  kFloat32,  ///< that of the model itself, whatever it is
  kInt8,     ///< 8-bit integers with a scale per row (Int8Matrix); activations are rounded likewise, keys, values and the adapter are not
};

/// The names of the formats, in the order of the enumeration: "float32", "int8".
const std::vector<std::string>& generation_weights_names();

/// The format of this name. Throws Error on another one.
GenerationWeights parse_generation_weights(std::string_view name);

}  // namespace paretofl
