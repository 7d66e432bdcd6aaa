#include "paretofl/text/preference_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PreferencePairs, ShareThePromptUpToTheirLastCommonTurn) {
  const auto pairs = parse_preference_pairs(
      "{\"chosen\": \"\\n\\nHuman: a\\n\\nAssistant: b\\n\\nHuman: c\\n\\nAssistant: yes\", "
      "\"rejected\": \"\\n\\nHuman: a\\n\\nAssistant: b\\n\\nHuman: c\\n\\nAssistant: yet\"}\r\n\n"
      "{\"chosen\": \"\\n\\nHuman: a\\n\\nAssistant: b\\n\\nHuman: c\\n\\nAssistant: d\", \"rejected\": \"\\n\\nHuman: "
      "a\\n\\nAssistant:\", \"n\": 1}",
      "f");
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].prompt, "\n\nHuman: a\n\nAssistant: b\n\nHuman: c\n\nAssistant:");
  EXPECT_EQ(pairs[0].chosen, " yes");
  EXPECT_EQ(pairs[0].rejected, " yet");
  EXPECT_EQ(pairs[1].prompt, "\n\nHuman: a\n\nAssistant:");
  EXPECT_EQ(pairs[1].chosen, " b\n\nHuman: c\n\nAssistant: d");
  EXPECT_EQ(pairs[1].rejected, "");
}

TEST(PreferencePairs, SayWhatIsWrongAndWhere) {
  const std::string good = R"({"chosen": "\n\nHuman: a\n\nAssistant: b", "rejected": "\n\nHuman: a\n\nAssistant: c"})";
  const auto message = [&](const std::string& line, const std::string& expected) {
    EXPECT_THAT([&] { parse_preference_pairs(good + "\n" + line, "f"); }, ThrowsMessage<Error>(HasSubstr(expected)));
  };
  message("{", "f:2: expected JSON");
  message("[]", "f:2: expected an object, found array");
  message(R"({"chosen": "x"})", "f:2: expected a field 'rejected', found none");
  message(R"({"chosen": 1, "rejected": "x"})", "f:2: chosen: expected a text, found number");
  message("{\"chosen\": \"\xff\", \"rejected\": \"x\"}", "f:2: expected JSON");
  message(R"({"chosen": "\n\nHuman: a\n\nAssistant: b", "rejected": "\n\nHuman: c\n\nAssistant: b"})",
          "f:2: expected dialogues that share a prompt up to a turn of the assistant, found '??Human: a??Assistant: b' and");
  EXPECT_THAT([] { parse_preference_pairs("\n", "f"); }, ThrowsMessage<Error>("f: expected pairs of dialogues, found none"));
}

TEST(PreferencePairs, OfThePublishedFilesAreAllRead) {
  PARETOFL_NEEDS_DATA("hh");
  const auto harmless = read_preference_pairs(data_folder() / "hh" / "harmless-base-test.jsonl.gz");
  EXPECT_EQ(harmless.size(), 2312U);
  EXPECT_EQ(read_preference_pairs(data_folder() / "hh" / "helpful-pairs.jsonl.gz").size(), 2860U);
  for (const PreferencePair& pair : harmless) {
    EXPECT_TRUE(pair.prompt.starts_with("\n\nHuman:") && pair.prompt.ends_with("\n\nAssistant:"));
  }
}

}  // namespace
}  // namespace paretofl
