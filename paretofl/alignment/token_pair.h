#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "paretofl/alignment/dpo_loss.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// Two completions of one prompt, the first preferred.
struct TokenPair {
  TokenSequence chosen;
  TokenSequence rejected;
  double offset = 0;  ///< by how much the chosen one is to be ahead, of dpo_loss

  PairLengths lengths() const { return {chosen.completion_length, rejected.completion_length}; }
  std::size_t prompt_length() const { return chosen.ids.size() - chosen.completion_length; }
};

/// How texts become pairs of sequences.
struct PairEncoding {
  bool add_special = true;            ///< the special tokens that the vocabulary adds to a text
  std::optional<TokenId> end = {};    ///< is added to each completion
  std::size_t max_completion = 1024;  ///< longer completions lose what is behind
};

/// The pair of a prompt and two texts that continue it. Each text is encoded together with the prompt; the tokens that both have in common
/// with the prompt alone are the prompt's, and the rest are the completions', so that a vocabulary may cut across the prompt's end. Throws
/// Error, beginning with `where`, if the prompt or a completion has no token.
TokenPair encode_pair(const Tokenizer& tokenizer, std::string_view prompt, std::string_view chosen, std::string_view rejected,
                      const PairEncoding& encoding, const std::string& where);

}  // namespace paretofl
