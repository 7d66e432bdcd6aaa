#pragma once

#include <string_view>

#include "paretofl/tokenizers/vocabulary.h"

namespace paretofl {

/// Cuts a word, as normalizer and pre-tokenizer left it, into tokens of a vocabulary. Immutable, and safe to share
/// between threads.
class SubwordModel {
 public:
  virtual ~SubwordModel() = default;

  /// Appends the ids of a word's tokens. Throws Error if the vocabulary cannot express it.
  virtual void encode(std::string_view word, TokenIds& ids) const = 0;
  virtual const Vocabulary& vocabulary() const = 0;
};

}  // namespace paretofl
