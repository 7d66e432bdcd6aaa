#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/text/normalizer.h"

namespace paretofl {

/// The normalization rules that SentencePiece compiles into a model: a double-array trie of what is replaced, and the
/// replacements. Applied as the "tokenizers" library does, which differs from SentencePiece in rare cases: to a whole
/// grapheme of less than 6 bytes where one of its beginnings has a rule, and else character by character; of several
/// rules the shortest counts.
class PrecompiledCharsmap : public Normalizer {
 public:
  /// Throws Error where `precompiled_charsmap` is not such rules in base64.
  explicit PrecompiledCharsmap(const JsonObject& json);

  std::string normalize(std::string_view text) const override;

 private:
  bool append_replacement(std::string_view text, std::string& result) const;
  std::string normalize_valid(std::string_view text) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;  ///< each ends with a zero byte
};

}  // namespace paretofl
