#include "paretofl/tokenizers/completion_text.h"

#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/byte_tokenizer.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

TEST(CompletionText, IsWhatFollowsThePrompt) {
  const ByteTokenizer bytes;
  const TokenIds prompt = bytes.encode("Say:", true);
  TokenIds answer = bytes.encode(" yes\xc3");  // cut within a character
  answer.push_back(*bytes.end_of_sequence());
  EXPECT_EQ(completion_text(bytes, prompt, answer), bytes.decode(answer, true));
  EXPECT_EQ(completion_text(bytes, prompt, {}), "");
}

TEST(CompletionText, KeepsTheSpaceThatStandsBehindThePrompt) {
  PARETOFL_NEEDS_DATA("tokenizers");
  const auto llama = load_tokenizer(data_folder() / "tokenizers" / "llama2_tokenizer.model");
  const std::string prompt = "\n\nHuman: Help!\n\nAssistant:", answer = " Sure, here";
  const TokenIds prompt_ids = llama->encode(prompt, true), all = llama->encode(prompt + answer, true);
  ASSERT_TRUE(std::equal(prompt_ids.begin(), prompt_ids.end(), all.begin()));
  const TokenIds answer_ids(all.begin() + static_cast<std::ptrdiff_t>(prompt_ids.size()), all.end());
  EXPECT_EQ(llama->decode(answer_ids, true), "Sure, here");
  EXPECT_EQ(completion_text(*llama, prompt_ids, answer_ids), answer);
}

/// A model can have more ids than its vocabulary: what it draws of these is no text.
TEST(CompletionText, LeavesOutIdsWithoutAToken) {
  const ByteTokenizer bytes;
  const TokenIds prompt = bytes.encode("Say:", true);
  TokenIds answer = bytes.encode("yes");
  answer.insert(answer.begin() + 1, static_cast<TokenId>(bytes.vocabulary_size()) + 5);
  EXPECT_EQ(completion_text(bytes, prompt, answer), "yes");
  EXPECT_EQ(decode_drawn(bytes, answer), "yes");
  EXPECT_THROW(bytes.decode(answer), Error);
}

}  // namespace
}  // namespace paretofl
