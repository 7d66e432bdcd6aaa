#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "paretofl/language/causal_lm.h"
#include "paretofl/model_files/language_model_config.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// A transformer with one output per sequence, such as a reward model. Immutable, and safe to share between threads like
/// CausalLm. Throws Error on the same misuse.
class SequenceClassifier {
 public:
  virtual ~SequenceClassifier() = default;

  virtual const LanguageModelConfig& config() const = 0;
  /// The raw output (logit) of every sequence.
  virtual std::vector<double> score(std::span<const TokenIds> sequences) const = 0;
};

/// The classifier of a folder with config.json and model.safetensors, as load_causal_lm.
std::shared_ptr<const SequenceClassifier> load_sequence_classifier(const std::filesystem::path& folder,
                                                                   const ModelPlacement& placement = {});

}  // namespace paretofl
