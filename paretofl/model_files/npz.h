#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "paretofl/model_files/safetensors.h"

namespace paretofl {

/// Writes tensors as a .npz file, as numpy.savez does: a ZIP archive that compresses nothing, with <name>.npy (version 1.0 of NumPy's
/// format) for each tensor, by name. The same tensors give the same bytes. The file appears whole or not at all. Throws Error if bytes and
/// shape of a tensor disagree, on types other than float32 and float64, and on more than a ZIP archive without extensions holds (65,534
/// tensors, 4 GB).
void write_npz(const std::filesystem::path& file, const std::map<std::string, StoredTensor, std::less<>>& tensors);

}  // namespace paretofl
