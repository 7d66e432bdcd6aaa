#pragma once

#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// A vocabulary that needs no file: every byte is a token of its own (ids 0 to 255), then <s> (256) and </s> (257).
class ByteTokenizer : public Tokenizer {
 public:
  static constexpr TokenId kBeginning = 256;
  static constexpr TokenId kEnd = 257;
  static constexpr std::size_t kVocabularySize = 258;

  /// add_special puts <s> in front. The texts "<s>" and "</s>" are bytes like any others.
  TokenIds encode(std::string_view text, bool add_special = false) const override;
  std::string decode(std::span<const TokenId> ids, bool skip_special = false) const override;
  std::size_t vocabulary_size() const override { return kVocabularySize; }
  std::optional<TokenId> id_of(std::string_view token) const override;
  std::optional<TokenId> beginning_of_sequence() const override { return kBeginning; }
  std::optional<TokenId> end_of_sequence() const override { return kEnd; }

  /// The same vocabulary as the text of a tokenizer.json, for programs that read one. There "<s>" and "</s>" in a text are the special
  /// tokens.
  static std::string tokenizer_json();
};

}  // namespace paretofl
