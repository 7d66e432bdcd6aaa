#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "paretofl/tokenizers/vocabulary.h"

namespace paretofl {

/// The tokens <0x00> to <0xFF> with which SentencePiece's byte fallback spells what a vocabulary lacks.
class ByteTokens {
 public:
  explicit ByteTokens(const Vocabulary& vocabulary);

  /// Appends the tokens of bytes, or nothing where one of them is missing: whether it did.
  bool append(std::string_view bytes, TokenIds& ids) const;

 private:
  std::array<std::optional<TokenId>, 256> ids_;
};

/// The byte that a token such as <0x0A> stands for.
std::optional<char> byte_of_token(std::string_view token);

}  // namespace paretofl
