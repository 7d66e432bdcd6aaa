#include "paretofl/completions/reward_task.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/byte_tokenizer.h"
#include "paretofl/tokenizers/completion_text.h"
#include "paretofl/tokenizers/tokenizer_json.h"

namespace paretofl {
namespace {

/// Keeps what it was last asked to judge.
class RecordingReward : public Reward {
 public:
  std::vector<double> scores(std::span<const Answer> answers) const override {
    judged.assign(answers.begin(), answers.end());
    return std::vector<double>(answers.size(), 1);
  }
  mutable std::vector<Answer> judged;
};

/// What a reward reads of a prompt's completion.
Answer judged(const Prompt& prompt, const std::string& completion, const std::string& stop_strings = "") {
  const auto tokenizer = std::make_shared<ByteTokenizer>();
  const auto reward = std::make_shared<RecordingReward>();
  const RewardTask task({prompt}, {reward}, tokenizer, StopStrings(stop_strings, tokenizer));
  Completion drawn;
  drawn.ids = tokenizer->encode(completion);
  task.rewards(std::vector<std::size_t>{0}, std::vector{drawn});
  return reward->judged.at(0);
}

TEST(RewardTask, RewardsReadTheDialogueAndWhatStandsInFrontOfAStopString) {
  const Prompt plain{.text = "\n\nHuman: Hi\n\nAssistant:", .ids = ByteTokenizer().encode("\n\nHuman: Hi\n\nAssistant:", true)};
  EXPECT_EQ(judged(plain, " Yes.\n\nHuman: no").completion, " Yes.\n\nHuman: no");
  EXPECT_EQ(judged(plain, " Yes.\n\nHuman: no", "\n\nHuman:").completion, " Yes.");
  EXPECT_EQ(judged(plain, " a # b ; c", ";,#").completion, " a ") << "the first of them in the text";
  EXPECT_EQ(judged(plain, "Yes.").completion, "Yes.");
  const Prompt chat{.text = plain.text, .ids = ByteTokenizer().encode("<|user|>\nHi</s>\n<|assistant|>\n"), .in_template = true};
  EXPECT_EQ(judged(chat, "Yes.").prompt, plain.text);
  EXPECT_EQ(judged(chat, "Yes.").completion, " Yes.") << "with the space that the dialogue's form has there";
  EXPECT_EQ(judged(chat, "\nYes.").completion, "\nYes.");
  EXPECT_EQ(judged(chat, "").completion, "");
}

TEST(StopStrings, EndACompletionWithTheTokenThatCompletesOne) {
  const auto tokenizer = std::make_shared<ByteTokenizer>();
  EXPECT_FALSE(StopStrings().ends());
  EXPECT_FALSE(StopStrings("", tokenizer).ends());
  const CompletionEnds ends = StopStrings("END,\n\nHuman:", tokenizer).ends();
  EXPECT_FALSE(ends(tokenizer->encode("the EN")));
  EXPECT_TRUE(ends(tokenizer->encode("the END")));
  EXPECT_FALSE(ends(tokenizer->encode("\n\nHuman")));
  EXPECT_TRUE(ends(tokenizer->encode("\n\nHuman:")));
  EXPECT_THAT([&] { StopStrings("a,,b", tokenizer); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("workload.stop_strings: expected names")));
}

TEST(StopStrings, KnowSpecialTokensThatRewardsDoNotRead) {
  const std::shared_ptr<const Tokenizer> tokenizer = parse_tokenizer_json(
      nlohmann::json::parse(R"({"model": {"type": "BPE", "vocab": {"d": 0, "o": 1, "n": 2, "e": 3, "\u010a": 4}, "merges": []},
                                "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "decoder": {"type": "ByteLevel"},
                                "added_tokens": [{"id": 5, "content": "<end>", "special": true}]})"),
      "f", {});
  const TokenIds turn = tokenizer->encode("done<end>");
  ASSERT_EQ(decode_drawn(*tokenizer, turn), "done");
  EXPECT_TRUE(StopStrings("<end>", tokenizer).ends()(turn));
  EXPECT_FALSE(StopStrings("<end>", tokenizer).ends()(tokenizer->encode("done")));
  EXPECT_EQ(StopStrings("<end>", tokenizer).in_front(decode_drawn(*tokenizer, turn)), "done");
  EXPECT_FALSE(StopStrings("<end>\n", tokenizer).ends()(turn));
  EXPECT_TRUE(StopStrings("<end>\n", tokenizer).ends()(tokenizer->encode("done<end>\n"))) << "also with what stands beside it";
}

}  // namespace
}  // namespace paretofl
