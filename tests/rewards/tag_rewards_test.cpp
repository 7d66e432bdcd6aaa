#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "paretofl/rewards/format_reward.h"
#include "paretofl/rewards/tag_count_reward.h"
#include "tests/rewards/judged.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct TagCase {
  std::string completion;
  double format;
  double tag_count;
};

const std::vector<TagCase> kCases = {
    {"<think>2 + 2</think><answer>4</answer>", 1, 1},
    {"<think>\n2 + 2\n</think>\n\n<answer>\n4\n</answer>\n", 1, 1},
    {" \t\r\n<think>a</think> <answer>b</answer> \n", 1, 1},
    {"<think></think><answer></answer>", 1, 1},
    {"<think>1 < 2 > 0, <b>yes</b></think><answer></a></answer>", 1, 1},
    {"", 0, 0},
    {"4", 0, 0},
    {"Well: <think>a</think><answer>b</answer>", 0, 1},
    {"<think>a</think><answer>b</answer>.", 0, 1},
    {"<think>a</think> so <answer>b</answer>", 0, 1},
    {"<answer>b</answer><think>a</think>", 0, 1},
    {"<think>a<answer>b</think></answer>", 0, 1},
    {"<think>a<answer>b</answer></think>", 0, 1},
    {"</think>a<think><answer>b</answer>", 0, 1},
    {"<think>a</think>", 0, 0.5},
    {"<answer>b</answer>", 0, 0.5},
    {"<think>a</think><answer>b", 0, 0.75},
    {"<think>a<answer>b</answer>", 0, 0.75},
    {"<think>a", 0, 0.25},
    {"<think><think>a</think><answer>b</answer>", 0, 0.75},
    {"<think>a</think><answer>b</answer><answer>c</answer>", 0, 0.5},
    {"<think>a</think><answer>b</answer></answer>", 0, 0.75},
    {"<think>a</think><answer>b</answer><think>a</think><answer>b</answer>", 0, 0},
    {"<Think>a</Think><answer>b</answer>", 0, 0.5},
    {"< think>a</think><answer>b</answer>", 0, 0.75},
    {"<thinking>a</thinking><answer>b</answer>", 0, 0.5},
};

TEST(FormatReward, WantsReasoningAndThenAnAnswer) {
  for (const TagCase& tagged : kCases) EXPECT_EQ(judged(FormatReward({}), tagged.completion), tagged.format) << tagged.completion;
}

TEST(TagCountReward, IsTheShareOfTagsThatAreThereOnce) {
  for (const TagCase& tagged : kCases) EXPECT_EQ(judged(TagCountReward({}), tagged.completion), tagged.tag_count) << tagged.completion;
}

TEST(TagRewards, KnowOtherNames) {
  const std::string text = "<plan>a</plan><code_1>b</code_1>";
  EXPECT_EQ(judged(FormatReward({.reasoning = "plan", .answer = "code_1"}), text), 1);
  EXPECT_EQ(judged(TagCountReward({.reasoning = "plan", .answer = "code-1"}), text), 0.5);
  EXPECT_EQ(judged(FormatReward({}), text), 0);
}

TEST(TagRewards, RefuseNamesThatAreNoTags) {
  EXPECT_THAT([] { FormatReward({.reasoning = ""}); }, ThrowsMessage<Error>(HasSubstr("format: expected a tag's name")));
  EXPECT_THAT([] { TagCountReward({.answer = "a b"}); }, ThrowsMessage<Error>(HasSubstr("tag_count: expected a tag's name")));
  EXPECT_THAT([] { FormatReward({.reasoning = "answer"}); }, ThrowsMessage<Error>(HasSubstr("expected different names")));
}

}  // namespace
}  // namespace paretofl
