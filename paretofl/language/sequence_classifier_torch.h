#pragma once

#include <filesystem>

#include "paretofl/language/sequence_classifier.h"

namespace paretofl {

/// What load_sequence_classifier calls in the library of LibTorch models. The caller owns the classifier.
extern "C" SequenceClassifier* paretofl_load_sequence_classifier(const std::filesystem::path& folder, const ModelPlacement& placement);

}  // namespace paretofl
