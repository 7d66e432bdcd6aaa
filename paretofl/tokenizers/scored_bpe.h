#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "paretofl/tokenizers/byte_tokens.h"
#include "paretofl/tokenizers/prefix_trie.h"
#include "paretofl/tokenizers/subword_model.h"

namespace paretofl {

/// Byte-pair encoding as SentencePiece stores it: two neighbours whose texts together are a token of the vocabulary are
/// merged, the token of highest score first, the leftmost pair among equals. Tokens that a user defined are taken out
/// whole beforehand, the longest first. Several unknown characters in a row are one unknown token, or with byte fallback
/// their bytes' tokens.
class ScoredBpe : public SubwordModel {
 public:
  /// scores[i] of token i; one without a score takes part in no merge. `whole` are the user's tokens.
  ScoredBpe(std::unique_ptr<const Vocabulary> vocabulary, std::vector<std::optional<double>> scores, const std::vector<TokenId>& whole,
            TokenId unknown, bool byte_fallback);

  void encode(std::string_view word, TokenIds& ids) const override;
  const Vocabulary& vocabulary() const override { return *vocabulary_; }

 private:
  std::unique_ptr<const Vocabulary> vocabulary_;
  std::vector<std::optional<double>> scores_;
  PrefixTrie whole_;
  TokenId unknown_;
  bool byte_fallback_;
  ByteTokens bytes_;
};

}  // namespace paretofl
