#include "paretofl/classifiers/sequence_classifier.h"

#include "paretofl/classifiers/sequence_classifier_plugin.h"
#include "paretofl/models/torch_library.h"

namespace paretofl {

std::shared_ptr<const SequenceClassifier> load_sequence_classifier(const std::filesystem::path& folder, const ModelPlacement& placement) {
  void* const load = library_function(kTorchLibrary, "paretofl_load_sequence_classifier");
  return std::shared_ptr<const SequenceClassifier>(reinterpret_cast<decltype(&paretofl_load_sequence_classifier)>(load)(folder, placement));
}

}  // namespace paretofl
