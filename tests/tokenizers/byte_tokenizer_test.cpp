#include "paretofl/tokenizers/byte_tokenizer.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

TEST(ByteTokenizer, EveryByteIsAToken) {
  const ByteTokenizer tokenizer;
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  const TokenIds ids = tokenizer.encode(bytes);
  for (int byte = 0; byte < 256; ++byte) EXPECT_EQ(ids[static_cast<std::size_t>(byte)], byte);
  EXPECT_EQ(tokenizer.decode(ids), bytes);
}

TEST(ByteTokenizer, SpecialTokensAreAddedAndLeftOut) {
  const ByteTokenizer tokenizer;
  TokenIds ids = tokenizer.encode("a", true);
  ids.push_back(ByteTokenizer::kEnd);
  EXPECT_THAT(ids, testing::ElementsAre(256, 'a', 257));
  EXPECT_EQ(tokenizer.decode(ids), "<s>a</s>");
  EXPECT_EQ(tokenizer.decode(ids, true), "a");
  EXPECT_EQ(tokenizer.id_of("</s>"), ByteTokenizer::kEnd);
  EXPECT_EQ(tokenizer.id_of("ab"), std::nullopt);
}

TEST(ByteTokenizer, IdsOutsideAreErrors) {
  EXPECT_THROW(ByteTokenizer().decode(std::vector<TokenId>{258}), Error);
  EXPECT_THROW(ByteTokenizer().decode(std::vector<TokenId>{-1}), Error);
}

}  // namespace
}  // namespace paretofl
