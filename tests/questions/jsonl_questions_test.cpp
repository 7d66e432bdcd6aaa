// Questions of a user's own files, and DAPO-Math-17k's format, on rows made here.
#include "paretofl/questions/jsonl_questions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/questions/dapo_math.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

class JsonlQuestions : public testing::Test {
 protected:
  JsonlQuestions() { std::filesystem::create_directories(folder_); }
  ~JsonlQuestions() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::vector<nlohmann::json>& rows) const {
    std::ofstream file(folder_ / name);
    for (const nlohmann::json& row : rows) file << row.dump() << '\n';
  }
  QuestionSet load(const Settings& settings) const { return question_sets().at("jsonl").make(settings, {.seed = 1, .data_root = folder_}); }
  static std::vector<std::string> prompts_of(const std::vector<Question>& questions) {
    std::vector<std::string> prompts;
    for (const Question& question : questions) prompts.push_back(question.prompt);
    return prompts;
  }
  static std::string fault(const std::string& text) {
    try {
      std::vector<std::string> splits;
      parse_jsonl_questions(text, "file", {}, &splits);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "jsonl_questions";
};

TEST_F(JsonlQuestions, FieldsAreChosenByNameAndWithinObjects) {
  const auto questions =
      parse_jsonl_questions(R"({"q": "a?", "meta": {"answer": {"of": 12}}, "work": "6+6"})"
                            "\n\n"
                            R"({"q": "b?", "meta.answer.of": "x"})"
                            "\n"
                            R"({"q": [{"role": "user", "content": "c?"}], "meta": {"answer": {"of": {"tests": ["t"]}}}, "work": null})",
                            "file", {.prompt = "q", .reference = "meta.answer.of", .solution = "work"});
  ASSERT_EQ(questions.size(), 3U);
  EXPECT_EQ(questions[0].prompt, "a?");
  EXPECT_EQ(questions[0].reference, "12");
  EXPECT_EQ(questions[0].solution, "6+6");
  EXPECT_EQ(questions[1].reference, "x");
  EXPECT_EQ(questions[1].solution, "");
  EXPECT_EQ(questions[2].prompt, "c?");
  EXPECT_EQ(questions[2].reference, R"({"tests":["t"]})") << "as code_accuracy reads it";
}

TEST_F(JsonlQuestions, NumbersStayAsTheyAreWritten) {
  const auto reference = [](const std::string& row, const std::string& field = "reference") {
    return parse_jsonl_questions(row, "file", {.reference = field}).at(0).reference;
  };
  for (const char* number : {"123456789012345678901234567890", "9007199254740993", "18446744073709551616", "-9223372036854775809", "0.10",
                             "1e5", "-0", "0.1000000000000000055511151231257827", "12"}) {
    EXPECT_EQ(reference(fmt::format(R"({{"prompt": "a", "reference": {} , "next": 1.5}})", number)), number);
    EXPECT_EQ(reference(fmt::format(R"({{"a": {{"b.c": 1.5, "b":{{"c":{}}}}},"prompt":"a"}})", number), "a.b.c"), "1.5");
    EXPECT_EQ(reference(fmt::format(R"({{"a": {{"b":{{"c":{}}}}},"prompt":"a"}})", number), "a.b.c"), number);
  }
  EXPECT_THAT(fault(R"({"prompt": "a", "reference": 1e999})"), HasSubstr("file:1: expected numbers that a double holds, found '1e999'"));
}

TEST_F(JsonlQuestions, LinesMayEndAsOnWindowsAndAMarkMayStandBeforeTheFirst) {
  const std::string text = "\xEF\xBB\xBF{\"prompt\": \"a\", \"reference\": 0.10}\r\n\r\n{\"prompt\": \"b\", \"reference\": \"x\"}\r\n";
  const auto questions = parse_jsonl_questions(text, "file", {});
  EXPECT_THAT(prompts_of(questions), ElementsAre("a", "b"));
  EXPECT_EQ(questions[0].reference, "0.10");
  EXPECT_EQ(questions[1].reference, "x");
  EXPECT_THAT(fault(text + "{\"prompt\": 1}\r\n"), StartsWith("file:4: expected a text or a list")) << "blank lines count";
  EXPECT_THAT(fault("\xEF\xBB\xBF"), StartsWith("file:1: expected JSON, found")) << "a mark alone";
}

TEST_F(JsonlQuestions, BadRowsAreErrorsThatNameTheLine) {
  const std::string good = R"({"prompt": "a", "reference": "1", "split": "train"})"
                           "\n";
  const auto second = [&](const std::string& row) { return fault(good + row); };
  EXPECT_THAT(second("{"), StartsWith("file:2"));
  EXPECT_THAT(second(R"({"reference": "1"})"), StartsWith("file:2: expected a field 'prompt', found none"));
  EXPECT_THAT(second(R"({"prompt": null, "reference": "1"})"), StartsWith("file:2: expected a field 'prompt', found none"));
  EXPECT_THAT(second(R"({"prompt": "b"})"), StartsWith("file:2: expected a field 'reference', found none"));
  EXPECT_THAT(second(R"({"prompt": 3, "reference": "1"})"), HasSubstr("a text or a list of chat messages in 'prompt', found number"));
  EXPECT_THAT(second(R"({"prompt": "", "reference": "1", "split": "train"})"),
              StartsWith("file:2: expected a question, found an empty text"));
  EXPECT_THAT(second(R"({"prompt": "b", "reference": ""})"), StartsWith("file:2: expected a reference in 'reference', found an empty"));
  EXPECT_THAT(second(R"({"prompt": "b", "reference": true})"), HasSubstr("a text, a number or an object in 'reference', found boolean"));
  EXPECT_THAT(second(R"({"prompt": "b", "reference": "1", "solution": 1})"),
              HasSubstr("file:2: expected a text in 'solution', found number"));
  EXPECT_THAT(second(R"({"prompt": "b", "reference": "1", "split": "dev"})"),
              HasSubstr("train, validation or test in 'split', found 'dev'"));
  EXPECT_THAT(second(R"({"prompt": "b", "reference": "1"})"),
              StartsWith("file:2: expected a split in every row or in none, found none after"));
  EXPECT_THAT(second(R"({"prompt": [], "reference": "1"})"), HasSubstr("expected one chat message, of the user, in 'prompt', found 0"));
  EXPECT_THAT(second(R"({"prompt": [{"role": "system", "content": "b"}], "reference": "1"})"), HasSubstr("found one of 'system'"));
  EXPECT_THAT(fault(" \n"), HasSubstr("expected questions, found none"));
  EXPECT_EQ(fault(good), "");
}

TEST_F(JsonlQuestions, SplitsOfOneFileSayWhatRowsAreFor) {
  const auto row = [](const char* prompt, const char* split) {
    return nlohmann::json{{"prompt", prompt}, {"reference", "1"}, {"part", split}};
  };
  write("rows", {row("a", "test"), row("b", "train"), row("c", "validation"), row("d", "train"), row("a", "train"), row("c", "train")});
  const Settings settings{{{"train", std::string("rows")}, {"split", std::string("part")}}, {}};
  const QuestionSet set = load(settings);
  EXPECT_THAT(prompts_of(set.training), ElementsAre("b", "d")) << "a is for testing, c for validation";
  EXPECT_THAT(prompts_of(set.validation), ElementsAre("c"));
  EXPECT_THAT(prompts_of(set.test), ElementsAre("a"));
}

TEST_F(JsonlQuestions, AValidationRowThatRepeatsATestRowIsForTestingAlone) {
  const auto row = [](const char* prompt, const char* split) {
    return nlohmann::json{{"prompt", prompt}, {"reference", "1"}, {"split", split}};
  };
  const Settings settings{{{"train", std::string("rows")}}, {}};
  write("rows", {row("a", "validation"), row("b", "validation"), row("a", "test"), row("c", "test"), row("d", "train"), row("b", "train")});
  const QuestionSet set = load(settings);
  EXPECT_THAT(prompts_of(set.validation), ElementsAre("b")) << "a is for testing";
  EXPECT_THAT(prompts_of(set.test), ElementsAre("a", "c"));
  EXPECT_THAT(prompts_of(set.training), ElementsAre("d"));
  write("rows", {row("a", "validation"), row("a", "test"), row("d", "train")});
  EXPECT_TRUE(load(settings).validation.empty()) << "no training question takes its place";
}

TEST_F(JsonlQuestions, TwoFilesOrRowsWithoutSplitsHoldOneOfTenOut) {
  std::vector<nlohmann::json> rows;
  for (int i = 0; i < 21; ++i) rows.push_back({{"prompt", std::to_string(i)}, {"reference", i}});
  write("train", rows);
  write("test", {{{"prompt", "3"}, {"reference", "3"}, {"split", "train"}}});
  const Settings one{{{"train", std::string("train")}}, {}};
  EXPECT_EQ(load(one).training.size(), 19U);
  EXPECT_THAT(prompts_of(load(one).validation), ElementsAre("9", "19"));
  EXPECT_TRUE(load(one).test.empty());
  const Settings two{{{"train", std::string("train")}, {"test", (folder_ / "test").string()}}, {}};
  EXPECT_THAT(prompts_of(load(two).test), ElementsAre("3")) << "an absolute path, and no split is read";
  EXPECT_EQ(load(two).training.size(), 18U) << "without the test question";
  EXPECT_THAT([&] { load({}); }, ThrowsMessage<Error>(HasSubstr("expected a file of questions in train, found none")));
  const Settings absent{{{"train", std::string("absent")}}, {}};
  EXPECT_THAT([&] { load(absent); }, ThrowsMessage<Error>(HasSubstr("absent: expected a file")));
}

nlohmann::json dapo_row(const std::string& prompt, const std::string& answer) {
  return {{"data_source", "math_dapo"},
          {"prompt", {{{"content", prompt}, {"role", "user"}}}},
          {"ability", "MATH"},
          {"reward_model", {{"ground_truth", answer}, {"style", "rule-lighteval/MATH_v2"}}},
          {"extra_info", {{"index", "9a9b6eb4"}}}};
}

TEST(DapoMath, ProblemsAreReadWithoutTheirInstructionAndOnce) {
  const std::string before =
      "Solve the following math problem step by step. The last line of your response should be of the form Answer: $Answer (without "
      "quotes) "
      "where $Answer is the answer to the problem.\n\n";
  const std::string after = "\n\nRemember to put your answer on its own line after \"Answer:\".";
  std::string text;
  for (const auto& row : {dapo_row(before + "What is $1+1$?" + after, "2"), dapo_row(before + "What is $1+1$?" + after, "2"),
                          dapo_row("What is left as it is?" + after, "34")}) {
    text += row.dump() + '\n';
  }
  const auto questions = parse_dapo_math(text, "file");
  ASSERT_EQ(questions.size(), 2U);
  EXPECT_EQ(questions[0].prompt, "What is $1+1$?");
  EXPECT_EQ(questions[0].reference, "2");
  EXPECT_EQ(questions[1].prompt, "What is left as it is?" + after);
  EXPECT_EQ(questions[1].reference, "34");
  EXPECT_THAT([&] { parse_dapo_math(text + R"({"prompt": "a"})", "file"); },
              ThrowsMessage<Error>(HasSubstr("file:4: expected a field 'reward_model.ground_truth', found none")));
}

TEST(DapoMath, IsReadBelowTheDataRootAndHasNoTestQuestions) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "dapo_math_root";
  std::filesystem::create_directories(folder / "dapo_math");
  {
    std::ofstream file(folder / "dapo_math" / "dapo-math-17k.jsonl");
    for (int i = 0; i < 20; ++i) file << dapo_row(std::to_string(i), "1").dump() << '\n';
  }
  const QuestionSet set = question_sets().at("dapo_math").make({}, {.seed = 1, .data_root = folder});
  EXPECT_EQ(set.training.size(), 18U);
  EXPECT_EQ(set.validation.size(), 2U);
  EXPECT_TRUE(set.test.empty());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace paretofl
