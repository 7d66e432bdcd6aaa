#pragma once

#include <filesystem>

#include "paretofl/language/causal_lm.h"
#include "paretofl/language/decoder_weights_torch.h"

namespace paretofl {

/// The tensors of a folder's model.safetensors or shards, in the placement's number format on its device. Those that are in
/// that format on the CPU are views of the mapped file, which lives as long as any of them: nothing may write to them. GPT-2's
/// names are found with and without the leading "transformer.", as published checkpoints have either. Throws Error, now on
/// what is no such folder and in lookups on a missing name, another shape or a type that is not floating point.
TensorLookup stored_weights(const std::filesystem::path& folder, const ModelPlacement& placement);

/// The placement's number format ("float32", "bfloat16" or "float64") and its device. Throws Error on another format, and on a
/// device that this machine or build lacks.
at::TensorOptions tensor_options(const ModelPlacement& placement);

}  // namespace paretofl
