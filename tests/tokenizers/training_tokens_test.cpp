#include "paretofl/tokenizers/training_tokens.h"

#include <gmock/gmock.h>

#include "paretofl/tokenizers/byte_tokenizer.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const ByteTokenizer kBytes;

std::string dialogue(std::string_view text) { return kBytes.decode(dialogue_tokens(kBytes, text)); }

TEST(TrainingTokens, EveryAnswerEndsItsSequence) {
  EXPECT_EQ(dialogue("\n\nHuman: a\n\nAssistant: b\n\nHuman: c\n\nAssistant: d"),
            "<s>\n\nHuman: a\n\nAssistant: b</s>\n\nHuman: c\n\nAssistant: d</s>");
  EXPECT_EQ(dialogue("\n\nHuman: a\n\nHuman: b\n\nAssistant:"), "<s>\n\nHuman: a\n\nHuman: b\n\nAssistant:</s>");
  EXPECT_EQ(dialogue("once upon a time"), "<s>once upon a time</s>");
  EXPECT_EQ(dialogue(""), "");
}

TEST(TrainingTokens, TooLongTextsKeepTheirEndAndWhatStandsInFront) {
  EXPECT_EQ(kBytes.decode(ended_tokens(kBytes, "abc", 9)), "<s>abc</s>");
  EXPECT_EQ(kBytes.decode(ended_tokens(kBytes, "abc", 5)), "<s>abc</s>");
  EXPECT_EQ(kBytes.decode(ended_tokens(kBytes, "abc", 3)), "<s>c</s>") << "a classifier may look at the first token alone";
  EXPECT_EQ(kBytes.decode(ended_tokens(kBytes, "abc", 1)), "<s>");
}

TEST(TrainingTokens, WindowsPredictEveryTokenButTheFirstOnce) {
  const std::vector<TokenIds> documents = {{1, 2, 3}, {4}, {}, {5, 6, 7}};
  EXPECT_THAT(token_windows(documents, 3), ElementsAre(ElementsAre(1, 2, 3), ElementsAre(3, 4, 5), ElementsAre(5, 6, 7)));
  EXPECT_THAT(token_windows(documents, 5), ElementsAre(ElementsAre(1, 2, 3, 4, 5), ElementsAre(5, 6, 7)));
  EXPECT_THAT(token_windows(documents, 100), ElementsAre(ElementsAre(1, 2, 3, 4, 5, 6, 7)));
  EXPECT_THAT(token_windows(std::vector<TokenIds>{{1}}, 4), IsEmpty());
  EXPECT_THAT(token_windows({}, 4), IsEmpty());
}

}  // namespace
}  // namespace paretofl
