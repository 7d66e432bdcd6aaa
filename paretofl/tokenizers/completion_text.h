#pragma once

#include <span>
#include <string>

#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// The text of tokens that a model has drawn, without special tokens unless `skip_special` is false, and without ids for which the
/// vocabulary has no token, as the Hugging Face library decodes them.
inline std::string decode_drawn(const Tokenizer& tokenizer, std::span<const TokenId> ids, bool skip_special = true) {
  TokenIds known(ids.begin(), ids.end());
  std::erase_if(known, [&](TokenId id) { return !tokenizer.has(id); });
  return tokenizer.decode(known, skip_special);
}

/// The text that a completion adds to its prompt, without special tokens. Decoded behind the prompt, since vocabularies drop a
/// space in front of a text: the tokens of "Sure" and of " Sure" may be the same.
inline std::string completion_text(const Tokenizer& tokenizer, std::span<const TokenId> prompt, std::span<const TokenId> completion) {
  const std::string before = decode_drawn(tokenizer, prompt);
  TokenIds ids(prompt.begin(), prompt.end());
  ids.insert(ids.end(), completion.begin(), completion.end());
  const std::string whole = decode_drawn(tokenizer, ids);
  return whole.starts_with(before) ? whole.substr(before.size()) : decode_drawn(tokenizer, completion);
}

}  // namespace paretofl
