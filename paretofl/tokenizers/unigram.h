#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "paretofl/tokenizers/byte_tokens.h"
#include "paretofl/tokenizers/prefix_trie.h"
#include "paretofl/tokenizers/subword_model.h"

namespace paretofl {

/// What a published vocabulary says of its unigram model beside the tokens.
struct UnigramSettings {
  std::vector<std::optional<double>> scores;  ///< of each token its log-probability; one without is part of no word
  std::optional<TokenId> unknown;
  double unknown_score = 0;
  bool byte_fallback = false;     ///< spells unknown characters with <0x00> to <0xFF>, where those are all there
  bool single_precision = false;  ///< sums are rounded to float32, as SentencePiece does
};

/// The unigram language model (Kudo 2018, "Subword Regularization", Section 3.2): a word is cut into the tokens whose
/// log-probabilities have the largest sum (Viterbi), the longest last token winning a tie. A character that no token is
/// alone can be the unknown token; of those, several in a row are one.
class Unigram : public SubwordModel {
 public:
  Unigram(std::unique_ptr<const Vocabulary> vocabulary, UnigramSettings settings);

  void encode(std::string_view word, TokenIds& ids) const override;
  const Vocabulary& vocabulary() const override { return *vocabulary_; }

 private:
  struct Step;

  std::vector<Step> best_steps(std::string_view word) const;

  std::unique_ptr<const Vocabulary> vocabulary_;
  UnigramSettings settings_;
  ByteTokens bytes_;
  PrefixTrie trie_;
};

}  // namespace paretofl
