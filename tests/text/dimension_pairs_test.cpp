#include "paretofl/text/dimension_pairs.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "paretofl/text/preference_pairs.h"
#include "tests/data_folder.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

DimensionPair only_pair(const std::string& row, const PairFields& fields = {}) {
  const auto pairs = parse_dimension_pairs(row + "\n", "f", fields);
  EXPECT_EQ(pairs.size(), 1U);
  return pairs.front();
}

TEST(DimensionPairs, AreReadInTheSingleTurnFormatsOfTrl) {
  const DimensionPair expected{.dimension = "", .prompt = "Sky?", .chosen = "Blue.", .rejected = "Red."};
  EXPECT_EQ(only_pair(R"({"prompt": "Sky?", "chosen": "Blue.", "rejected": "Red."})"), expected);
  EXPECT_EQ(only_pair(R"({"prompt": [{"role": "user", "content": "Sky?"}], "chosen": [{"role": "assistant", "content": "Blue."}], )"
                      R"("rejected": [{"role": "assistant", "content": "Red."}]})"),
            expected);
  const std::string chosen = R"("chosen": [{"role": "user", "content": "Sky?"}, {"role": "assistant", "content": "Blue."}])";
  const std::string rejected = R"("rejected": [{"role": "user", "content": "Sky?"}, {"role": "assistant", "content": "Red."}])";
  EXPECT_EQ(only_pair("{" + chosen + ", " + rejected + "}"), expected);
  EXPECT_EQ(only_pair("{\"prompt\": \"Sky?\", " + chosen + ", " + rejected + "}"), expected);
  const DimensionPair dialogue = only_pair(R"({"chosen": "\n\nHuman: a\n\nAssistant: b", "rejected": "\n\nHuman: a\n\nAssistant: c"})");
  EXPECT_EQ(dialogue, (DimensionPair{"", "\n\nHuman: a\n\nAssistant:", " b", " c", true}));
}

TEST(DimensionPairs, FieldsHaveTheNamesThatAreGiven) {
  const PairFields fields{.prompt = "row.question", .chosen = "better", .rejected = "worse", .dimension = "kind"};
  EXPECT_EQ(only_pair(R"({"row": {"question": "q"}, "better": "a", "worse": "b", "kind": "safe", "prompt": 1})", fields),
            (DimensionPair{"safe", "q", "a", "b", false}));
}

TEST(DimensionPairs, HaveAnOffsetInEachRowWhereItsFieldIsNamed) {
  const std::string row = R"({"prompt": "q", "chosen": "a", "rejected": "b", "rewards": {"margin": 2.5}, "offset": "x"})";
  EXPECT_EQ(only_pair(row).offset, 0);
  EXPECT_EQ(only_pair(row, {.offset = "rewards.margin"}).offset, 2.5);
  const std::string dialogue = R"({"chosen": "\n\nHuman: a\n\nAssistant: b", "rejected": "\n\nHuman: a\n\nAssistant: c", "m": -1})";
  EXPECT_EQ(only_pair(dialogue, {.offset = "m"}).offset, -1);
  EXPECT_THAT([&] { only_pair(row, {.offset = "offset"}); },
              ThrowsMessage<Error>("f:1: expected a finite number of single precision in 'offset', found string"));
  EXPECT_THAT([&] { only_pair(R"({"prompt": "q", "chosen": "a", "rejected": "b", "offset": 1e308})", {.offset = "offset"}); },
              ThrowsMessage<Error>("f:1: expected a finite number of single precision in 'offset', found another one"));
  EXPECT_THAT([&] { only_pair(row, {.offset = "margin"}); }, ThrowsMessage<Error>(HasSubstr("f:1: expected a field 'margin'")));
}

TEST(DimensionPairs, AreReadBackAsTheyAreWritten) {
  const std::vector<DimensionPair> pairs = {{"safe", "q \xc3\xa4\n", "a", "", false},
                                            {"", "\n\nHuman: a\n\nAssistant:", " b", " c", true},
                                            {"kind", "\n\nHuman: a\n\nAssistant:", " b\n\nHuman: x\n\nAssistant: y", " c", true}};
  const auto folder = empty_folder("dimension_pairs");
  write_dimension_pairs(pairs, folder / "pairs.jsonl", false);
  EXPECT_EQ(read_dimension_pairs(folder / "pairs.jsonl", {}), pairs);
  std::vector<DimensionPair> offset = pairs;
  offset[1].offset = -0.1;
  write_dimension_pairs(offset, folder / "pairs.jsonl", true);
  EXPECT_EQ(read_dimension_pairs(folder / "pairs.jsonl", written_pair_fields(true)), offset);
  std::filesystem::remove_all(folder);
}

TEST(DimensionPairs, SayWhatIsWrongAndWhere) {
  const auto message = [](const std::string& row, const std::string& expected) {
    const std::string good = R"({"prompt": "q", "chosen": "a", "rejected": "b"})";
    EXPECT_THAT([&] { parse_dimension_pairs(good + "\n" + row, "f", {}); }, ThrowsMessage<Error>(HasSubstr(expected))) << row;
  };
  message("{", "f:2: expected JSON");
  message("[]", "f:2: expected an object, found array");
  message(R"({"prompt": "q", "chosen": "a"})", "f:2: expected a field 'rejected', found none");
  message(R"({"prompt": "q", "chosen": 1, "rejected": "b"})", "f:2: expected a text or a list of chat messages in 'chosen', found number");
  message(R"({"prompt": "", "chosen": "a", "rejected": "b"})", "f:2: expected a prompt, found an empty text");
  message(R"({"prompt": "q", "chosen": "a", "rejected": "b", "dimension": 3})", "f:2: expected a text in 'dimension', found number");
  message(R"({"prompt": "q", "chosen": "a", "rejected": "b", "dimension": ""})", "f:2: expected the name of a dimension");
  message(R"({"chosen": "a", "rejected": "b"})", "f:2: expected dialogues that share a prompt");
  message(R"({"chosen": [{"role": "assistant", "content": "a"}], "rejected": "b"})",
          "f:2: expected a field 'prompt' or two lists of chat messages that begin with the prompt");
  message(R"({"prompt": "q", "chosen": [], "rejected": "b"})", "found 0 messages");
  message(R"({"prompt": "q", "chosen": [{"role": "user", "content": "a"}], "rejected": "b"})",
          "f:2: expected a chat message of the assistant in 'chosen', found one of 'user'");
  message(R"({"prompt": "q", "chosen": [{"role": "user", "content": "r"}, {"role": "assistant", "content": "a"}], "rejected": "b"})",
          "f:2: expected answers to one prompt, found 'q' and 'r'");
  EXPECT_THAT([] { parse_dimension_pairs("\n", "f", {}); },
              ThrowsMessage<Error>("f: expected pairs of a chosen and a rejected completion, found none"));
}

TEST(DimensionPairs, OfThePublishedDialoguesAreThePreferencePairs) {
  PARETOFL_NEEDS_DATA("hh");
  const auto file = data_folder() / "hh" / "harmless-base-test.jsonl.gz";
  const auto pairs = read_preference_pairs(file);
  const auto found = read_dimension_pairs(file, {});
  ASSERT_EQ(found.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(found[i], (DimensionPair{"", pairs[i].prompt, pairs[i].chosen, pairs[i].rejected, true}));
  }
}

}  // namespace
}  // namespace paretofl
