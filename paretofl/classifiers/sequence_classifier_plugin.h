#pragma once

#include <filesystem>

#include "paretofl/classifiers/sequence_classifier.h"

namespace paretofl {

/// The function behind load_sequence_classifier in the library of LibTorch's models. The caller owns the classifier.
extern "C" SequenceClassifier* paretofl_load_sequence_classifier(const std::filesystem::path& folder, const ModelPlacement& placement);

}  // namespace paretofl
