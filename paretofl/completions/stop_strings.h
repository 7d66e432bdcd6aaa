#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/language/causal_lm.h"
#include "paretofl/registry/options.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// Texts that end a completion, beside the model's own ends of sequence.
class StopStrings {
 public:
  StopStrings() = default;  ///< none
  /// `listed` are the texts, separated by commas. Throws Error where one of several is empty.
  StopStrings(const std::string& listed, std::shared_ptr<const Tokenizer> tokenizer);

  /// Whether a completion holds one of them; empty where there is none.
  CompletionEnds ends() const;
  /// What stands in front of the first of them; the whole text where it holds none.
  std::string in_front(std::string text) const;

 private:
  std::vector<std::string> strings_;
  std::vector<std::string> special_;  ///< those with special tokens in them, such as a template's end of a turn
  std::shared_ptr<const Tokenizer> tokenizer_;
};

/// The option by which a workload lets them be chosen.
void describe_stop_strings(OptionVisitor& visit, std::string& field);

}  // namespace paretofl
