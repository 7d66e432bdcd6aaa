#pragma once

#include <cstdint>
#include <string>

#include "paretofl/model_files/safetensors_folder.h"

namespace paretofl {

/// A model's tensor by its name in decoder_slices or deberta_slices, whose first part "model.", "transformer." or "deberta." may
/// be missing in the files. Throws Error naming the folder if it is not there.
const StoredTensor& stored_tensor(const SafetensorsFolder& files, const std::string& name);

/// Throws Error, naming the folder, where the files have tensors of more layers than a model's `layers`, such as "model.layers.2." of 2:
/// cut short it would be another model.
void expect_layers(const SafetensorsFolder& files, std::int64_t layers, const std::string& folder);

}  // namespace paretofl
