#pragma once

#include <string>
#include <string_view>

#include "paretofl/tokenizers/charsmap.h"
#include "paretofl/tokenizers/normalizer.h"

namespace paretofl {

/// SentencePiece's normalization rules, applied as the "tokenizers" library does, which differs from SentencePiece in rare
/// cases: to a whole grapheme of less than 6 bytes where one of its beginnings has a rule, and else character by
/// character; of several rules the shortest counts.
class PrecompiledCharsmap : public Normalizer {
 public:
  /// Throws Error if `precompiled_charsmap` is not such rules in base64.
  explicit PrecompiledCharsmap(const JsonObject& json);

  std::string normalize(std::string_view text) const override;

 private:
  bool append_replacement(std::string_view text, std::string& result) const;
  std::string normalize_valid(std::string_view text) const;

  Charsmap rules_;
};

}  // namespace paretofl
