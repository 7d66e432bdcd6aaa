#pragma once

#include <span>
#include <string>

#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// The text that a completion adds to its prompt, without special tokens. Decoded behind the prompt, since vocabularies drop a
/// space in front of a text: the tokens of "Sure" and of " Sure" may be the same.
inline std::string completion_text(const Tokenizer& tokenizer, std::span<const TokenId> prompt, std::span<const TokenId> completion) {
  const std::string before = tokenizer.decode(prompt, true);
  TokenIds ids(prompt.begin(), prompt.end());
  ids.insert(ids.end(), completion.begin(), completion.end());
  const std::string whole = tokenizer.decode(ids, true);
  return whole.starts_with(before) ? whole.substr(before.size()) : tokenizer.decode(completion, true);
}

}  // namespace paretofl
