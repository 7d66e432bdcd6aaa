#pragma once

#include <string>
#include <string_view>

#include "paretofl/tokenizers/charsmap.h"
#include "paretofl/tokenizers/prefix_trie.h"

namespace paretofl {

/// What a SentencePiece model says of its normalization.
struct SentencePieceNormalization {
  Charsmap rules;
  bool add_dummy_prefix = true;          ///< a space in front, or behind with space_as_suffix
  bool remove_extra_whitespaces = true;  ///< at the ends, and of several in a row all but one
  bool escape_whitespaces = true;        ///< spaces become U+2581
  bool space_as_suffix = false;
};

/// SentencePiece's normalization (Kudo and Richardson 2018, Section 3.1): rules of a model, of those that apply at one
/// place the longest, and its way with spaces. Tokens that a user defined are left as they are, and so are, other than in
/// SentencePiece, bytes that are not UTF-8. Immutable, and safe to share between threads.
class SentencePieceNormalizer {
 public:
  /// `whole` holds the user's tokens.
  SentencePieceNormalizer(SentencePieceNormalization settings, PrefixTrie whole);

  /// Without `prefix`, no space is added.
  std::string normalize(std::string_view text, bool prefix = true) const;
  bool begins_with_space(std::string_view text) const { return !text.empty() && first(text).replacement.starts_with(' '); }
  std::string_view space() const { return settings_.escape_whitespaces ? "\u2581" : " "; }
  const SentencePieceNormalization& settings() const { return settings_; }

 private:
  CharsmapRule first(std::string_view text) const;

  SentencePieceNormalization settings_;
  PrefixTrie whole_;
};

}  // namespace paretofl
