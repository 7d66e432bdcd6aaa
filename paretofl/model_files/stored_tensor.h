#pragma once

#include <string>

#include "paretofl/model_files/safetensors_folder.h"

namespace paretofl {

/// A model's tensor by its name in decoder_slices or deberta_slices, whose first part "model.", "transformer." or "deberta." may
/// be missing in the files. Throws Error naming the folder if it is not there.
const StoredTensor& stored_tensor(const SafetensorsFolder& files, const std::string& name);

}  // namespace paretofl
