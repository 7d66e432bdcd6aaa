// What reward models read. The ids are those of the tokenizers library, 0.23.3, for the two texts as a pair.
#include "paretofl/rewards/reward_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/tokenizers/byte_tokenizer.h"
#include "paretofl/tokenizers/tokenizer_config.h"
#include "paretofl/tokenizers/tokenizer_json.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kRoom = 1000;

/// A vocabulary of a few words with the post-processing of DeBERTa's: [CLS] first [SEP] second [SEP].
std::unique_ptr<const Tokenizer> words_in_pairs() {
  const auto file = parse_json(R"({
    "added_tokens": [{"id": 0, "content": "[PAD]", "special": true}, {"id": 1, "content": "[CLS]", "special": true},
                     {"id": 2, "content": "[SEP]", "special": true}, {"id": 3, "content": "[UNK]", "special": true}],
    "normalizer": {"type": "Strip", "strip_left": true, "strip_right": true},
    "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
    "post_processor": {"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                 {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
      "pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
               {"SpecialToken": {"id": "[SEP]", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}},
               {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
      "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}, "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]}}},
    "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
    "model": {"type": "Unigram", "unk_id": 3, "byte_fallback": false,
      "vocab": [["[PAD]", 0.0], ["[CLS]", 0.0], ["[SEP]", 0.0], ["[UNK]", 0.0], ["▁", -3.0], ["▁why", -2.0], ["▁is", -2.0], ["▁the", -2.0],
                ["▁sky", -2.5], ["▁blue", -2.5], ["?", -2.0], ["▁it", -2.0], ["▁scatter", -3.0], ["s", -3.0], ["▁light", -3.0], [".", -2.0]]}
  })",
                               "words");
  return parse_tokenizer_json(file, "words", {});
}

const Answer& sky() {
  static const Answer kSky{.prompt = "\n\nHuman: is it the sky?\n\nAssistant: it is.\n\nHuman: why is the sky blue? \n\nAssistant:",
                           .completion = " it scatters light."};
  return kSky;
}

TEST(RewardText, OfAnOpenAssistantModelIsClsQuestionSepAnswerSep) {
  const RewardTextOptions card{.append_eos = false, .pair = true, .prompt_format = "question"};
  const auto tokenizer = words_in_pairs();
  const TokenIds ids = reward_tokens(*tokenizer, sky(), card, kRoom);
  EXPECT_THAT(ids, ElementsAre(1, 5, 6, 7, 8, 9, 10, 2, 11, 12, 13, 14, 15, 2));
  EXPECT_THAT(reward_tokens(*tokenizer, sky(), card, 10), ElementsAre(1, 5, 6, 7, 8, 2, 11, 12, 13, 2));
  EXPECT_THAT(reward_tokens(*tokenizer, sky(), card, 9), ElementsAre(1, 5, 6, 7, 2, 11, 12, 13, 2));
  EXPECT_THAT(reward_tokens(*tokenizer, sky(), card, 6), ElementsAre(1, 5, 6, 2, 11, 2));
  EXPECT_THAT([&] { reward_tokens(*tokenizer, sky(), card, 2); },
              ThrowsMessage<Error>("pair: expected room for 3 special tokens, found 2 positions"));
}

TEST(RewardText, OfOneTextIsThatAndEndsOnlyWhereAskedFor) {
  const auto tokenizer = words_in_pairs();
  const RewardTextOptions bare{.append_eos = false, .prompt_format = "question"};
  EXPECT_THAT(reward_tokens(*tokenizer, sky(), bare, kRoom), ElementsAre(1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 2));
  const ByteTokenizer bytes;
  const Answer answer{.prompt = "a", .completion = "b"};
  EXPECT_THAT(reward_tokens(bytes, answer, {}, kRoom), ElementsAre(ByteTokenizer::kBeginning, 'a', 'b', ByteTokenizer::kEnd));
  EXPECT_THAT(reward_tokens(bytes, answer, {.append_eos = false}, kRoom), ElementsAre(ByteTokenizer::kBeginning, 'a', 'b'));
}

// The example of the cards of the two models.
TEST(RewardText, OfAGpt2RewardModelIsTheDialogueWithNothingBehind) {
  PARETOFL_NEEDS_DATA("tokenizers");
  const auto tokenizer = load_tokenizer(data_folder() / "tokenizers" / "gpt2_tokenizer.json.gz");
  const Answer answer{.prompt = "\n\nHuman: I just came out of from jail, any suggestion of my future? \n\nAssistant:",
                      .completion = " Sorry, I don't understand."};
  const RewardTextOptions card{.append_eos = false, .pair = true};
  EXPECT_THAT(reward_tokens(*tokenizer, answer, card, kRoom),
              ElementsAre(198, 198, 20490, 25, 314, 655, 1625, 503, 286, 422, 7356, 11, 597, 13052, 286, 616, 2003, 30, 220, 198, 198,
                          48902, 25, 14385, 11, 314, 836, 470, 1833, 13));
  EXPECT_THAT(reward_tokens(*tokenizer, answer, card, 20),
              ElementsAre(198, 198, 20490, 25, 314, 655, 1625, 503, 286, 422, 7356, 11, 597, 14385, 11, 314, 836, 470, 1833, 13));
  EXPECT_THAT(reward_tokens(*tokenizer, answer, card, 9), ElementsAre(198, 198, 20490, 25, 314, 14385, 11, 314, 836));
  const TokenIds ended = reward_tokens(*tokenizer, answer, {}, kRoom);
  EXPECT_EQ(ended.back(), 50256) << "what such a model was never given";
}

TEST(RewardText, AQuestionIsTheLastOneOfADialogue) {
  const RewardTextOptions question{.append_eos = false, .prompt_format = "question"};
  const ByteTokenizer bytes;
  const auto read = [&](const std::string& prompt) {
    return bytes.decode(reward_tokens(bytes, {.prompt = prompt, .completion = "."}, question, kRoom), true);
  };
  EXPECT_EQ(read("\n\nHuman: first\n\nAssistant: yes\n\nHuman:  second one \n\nAssistant:"), "second one.");
  EXPECT_EQ(read("\n\nHuman: never answered"), "never answered.");
  EXPECT_EQ(read(" no dialogue "), " no dialogue .");
  EXPECT_EQ(read("\n\nHuman:\n\nAssistant:"), ".");
}

TEST(RewardText, RefusesAPairWithAnEndAndAVocabularyWithoutPairs) {
  EXPECT_THAT(
      [] { RewardTextOptions{.pair = true}.check(); },
      ThrowsMessage<Error>("reward_model: expected append_eos = false with pair = true, where the vocabulary says what ends a pair; "
                           "found true"));
  EXPECT_THAT(
      [] {
        make_reward({"reward_model", {.values = {{"model", std::string("nowhere")}, {"pair", true}}, .tables = {}}});
      },
      ThrowsMessage<Error>(HasSubstr("expected append_eos = false with pair = true")));
  EXPECT_THAT([] { reward_tokens(ByteTokenizer(), sky(), {.append_eos = false, .pair = true}, kRoom); },
              ThrowsMessage<Error>(HasSubstr("expected a vocabulary that says how two texts are a pair")));
}

}  // namespace
}  // namespace paretofl
