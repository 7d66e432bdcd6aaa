#include "paretofl/language/generation_weights.h"

#include "paretofl/core/error.h"

namespace paretofl {

const std::vector<std::string>& generation_weights_names() {
  static const std::vector<std::string> kNames = {"float32", "int8"};
  return kNames;
}

GenerationWeights parse_generation_weights(std::string_view name) {
  expect(name == "float32" || name == "int8", "language model: expected generation weights of float32 or int8, found '{}'", name);
  return name == "int8" ? GenerationWeights::kInt8 : GenerationWeights::kFloat32;
}

}  // namespace paretofl
