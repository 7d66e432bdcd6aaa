#pragma once

#include <filesystem>

#include "paretofl/core/random.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/language/decoder_weights_torch.h"

namespace paretofl {

/// Where tensors live and in which format they are computed. Throws Error on a placement that does not exist here.
/// The CPU computes in float32 what is stored in bfloat16: values are rounded to bfloat16 and widened again.
class TensorPlacement {
 public:
  explicit TensorPlacement(const ModelPlacement& placement);

  /// From a float32 or any other floating-point tensor on the CPU; itself where nothing needs to change.
  at::Tensor place(const at::Tensor& tensor) const;

 private:
  bool cuda_ = false;
  int index_ = 0;
  std::string dtype_;
};

/// Tensors of a folder's safetensors files: float32 ones as views of the mapping, which lives as long as they do. Names
/// are those of stored_tensor. Throws Error, naming the folder, also where the files have more than the model's `layers`.
TensorLookup stored_tensors(const std::filesystem::path& folder, std::int64_t layers, const ModelPlacement& placement);

/// Fresh tensors of a config: normal with its standard deviation, norms that multiply by one, biases zero. Each has a substream of its own,
/// named like it.
TensorLookup random_tensors(const LanguageModelConfig& config, const Random& random, const ModelPlacement& placement);

}  // namespace paretofl
