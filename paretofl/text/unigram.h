#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/text/byte_tokens.h"
#include "paretofl/text/prefix_trie.h"
#include "paretofl/text/subword_model.h"

namespace paretofl {

/// The unigram language model (Kudo 2018, "Subword Regularization", Section 3.2): a word is cut into the tokens whose
/// log-probabilities have the largest sum (Viterbi), the leftmost start winning a tie. A character that no token is alone
/// can be the unknown token, 10 below the least score, as in SentencePiece; of those, several in a row are one.
class Unigram : public SubwordModel {
 public:
  /// scores[i] of token i. Throws Error, with `where` in front, on scores that are not finite.
  Unigram(std::unique_ptr<const Vocabulary> vocabulary, std::vector<double> scores, std::optional<TokenId> unknown, bool byte_fallback,
          const std::string& where);

  void encode(std::string_view word, TokenIds& ids) const override;
  const Vocabulary& vocabulary() const override { return *vocabulary_; }

 private:
  struct Step;

  std::vector<Step> best_steps(std::string_view word) const;

  std::unique_ptr<const Vocabulary> vocabulary_;
  std::vector<double> scores_;
  std::optional<TokenId> unknown_;
  bool byte_fallback_;
  double unknown_score_ = 0;
  ByteTokens bytes_;
  PrefixTrie trie_;
};

}  // namespace paretofl
