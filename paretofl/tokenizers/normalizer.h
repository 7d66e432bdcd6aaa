#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "paretofl/text/json_object.h"

namespace paretofl {

/// What is done to a text before it is cut into words. Bytes that are not UTF-8 stay as they are. Immutable, and safe to
/// share between threads.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual std::string normalize(std::string_view text) const = 0;
  /// Whether the normalized text begins with what the text's first character became, and not with what became of a later one.
  virtual bool keeps_start(std::string_view /*text*/) const { return true; }
};

/// The normalizer that a tokenizer.json describes: Sequence, NFC, NFD, NFKC, NFKD, Prepend, Replace, Strip or
/// Precompiled. Throws Error on any other.
std::unique_ptr<const Normalizer> make_normalizer(const JsonObject& json);

}  // namespace paretofl
