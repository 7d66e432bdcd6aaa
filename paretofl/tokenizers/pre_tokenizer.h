#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/text/json_object.h"

namespace paretofl {

/// Cuts a normalized text into words. Immutable, and safe to share between threads.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Appends the words of a piece that is not empty; `at_start` says that it begins the whole text. Empty words count
  /// for nothing.
  virtual void cut(std::string_view piece, bool at_start, std::vector<std::string>& words) const = 0;
  /// Whether `at_start` makes a difference.
  virtual bool heeds_start() const { return false; }
};

/// The pre-tokenizer that a tokenizer.json describes: Sequence, ByteLevel, Split, Metaspace, Digits or Punctuation. Throws
/// Error on any other.
std::unique_ptr<const PreTokenizer> make_pre_tokenizer(const JsonObject& json);

}  // namespace paretofl
