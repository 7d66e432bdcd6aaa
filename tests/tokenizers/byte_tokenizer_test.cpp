#include "paretofl/tokenizers/byte_tokenizer.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

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

TEST(ByteTokenizer, ItsFileReadsTheSame) {
  const auto folder = std::filesystem::temp_directory_path() / ("paretofl_byte_tokenizer_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tokenizer.json") << ByteTokenizer::tokenizer_json();
  const auto stored = load_tokenizer(folder);
  std::filesystem::remove_all(folder);
  const ByteTokenizer tokenizer;
  EXPECT_EQ(stored->vocabulary_size(), ByteTokenizer::kVocabularySize);
  for (const std::string text : {"Hello, world! 12", "a\n\tb  c", "\xc3\xa9\xe2\x82\xac", "\xff\x00\x80", ""}) {
    EXPECT_EQ(stored->encode(text, true), tokenizer.encode(text, true));
    EXPECT_EQ(stored->decode(tokenizer.encode(text)), text);
  }
  const TokenIds ended{256, 'a', 257};
  EXPECT_EQ(stored->decode(ended), tokenizer.decode(ended));
  EXPECT_EQ(stored->decode(ended, true), "a");
}

TEST(ByteTokenizer, IdsOutsideAreErrors) {
  EXPECT_THROW(ByteTokenizer().decode(std::vector<TokenId>{258}), Error);
  EXPECT_THROW(ByteTokenizer().decode(std::vector<TokenId>{-1}), Error);
}

}  // namespace
}  // namespace paretofl
