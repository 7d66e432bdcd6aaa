#include "paretofl/text/training_tokens.h"

#include <gmock/gmock.h>

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr TokenId kBegin = 256, kEnd = 257;

// A token per byte, and a beginning and an end of sequence.
class Bytes : public Tokenizer {
 public:
  TokenIds encode(std::string_view text, bool add_special) const override {
    TokenIds ids;
    if (add_special) ids.push_back(kBegin);
    for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
    return ids;
  }
  std::string decode(std::span<const TokenId> ids, bool) const override {
    std::string text;
    for (const TokenId id : ids) text += id == kBegin ? "<" : id == kEnd ? ">" : std::string(1, static_cast<char>(id));
    return text;
  }
  std::size_t vocabulary_size() const override { return 258; }
  std::optional<TokenId> id_of(std::string_view) const override { return {}; }
  std::optional<TokenId> beginning_of_sequence() const override { return kBegin; }
  std::optional<TokenId> end_of_sequence() const override { return kEnd; }
};

std::string dialogue(std::string_view text) { return Bytes().decode(dialogue_tokens(Bytes(), text), false); }

TEST(TrainingTokens, EveryAnswerEndsItsSequence) {
  EXPECT_EQ(dialogue("\n\nHuman: a\n\nAssistant: b\n\nHuman: c\n\nAssistant: d"),
            "<\n\nHuman: a\n\nAssistant: b>\n\nHuman: c\n\nAssistant: d>");
  EXPECT_EQ(dialogue("\n\nHuman: a\n\nHuman: b\n\nAssistant:"), "<\n\nHuman: a\n\nHuman: b\n\nAssistant:>");
  EXPECT_EQ(dialogue("once upon a time"), "<once upon a time>");
  EXPECT_EQ(dialogue(""), "");
}

TEST(TrainingTokens, TooLongTextsKeepTheirEnd) {
  EXPECT_EQ(Bytes().decode(ended_tokens(Bytes(), "abc", 9), false), "<abc>");
  EXPECT_EQ(Bytes().decode(ended_tokens(Bytes(), "abc", 5), false), "<abc>");
  EXPECT_EQ(Bytes().decode(ended_tokens(Bytes(), "abc", 3), false), "bc>");
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
