#include "paretofl/tokenizers/byte_tokenizer.h"

#include "paretofl/core/error.h"

namespace paretofl {

TokenIds ByteTokenizer::encode(std::string_view text, bool add_special) const {
  TokenIds ids;
  if (add_special) ids.push_back(kBeginning);
  for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  return ids;
}

std::string ByteTokenizer::decode(std::span<const TokenId> ids, bool skip_special) const {
  std::string text;
  for (const TokenId id : ids) {
    expect(id >= 0 && id <= kEnd, "tokenizer: expected ids 0 to {}, found {}", kEnd, id);
    if (id < kBeginning) {
      text.push_back(static_cast<char>(id));
    } else if (!skip_special) {
      text += id == kBeginning ? "<s>" : "</s>";
    }
  }
  return text;
}

std::optional<TokenId> ByteTokenizer::id_of(std::string_view token) const {
  if (token == "<s>") return kBeginning;
  if (token == "</s>") return kEnd;
  if (token.size() == 1) return static_cast<unsigned char>(token[0]);
  return std::nullopt;
}

}  // namespace paretofl
