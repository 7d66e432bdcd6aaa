// The files of numbers, preferences and questions in a party's folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/parties/number_file.h"
#include "paretofl/parties/preference_file.h"
#include "paretofl/parties/question_lines.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::filesystem::path part_file(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "paretofl_part_files";
  std::filesystem::create_directories(folder);
  return folder / name;
}

TEST(NumberFile, NumbersReadBackToTheLastBit) {
  Random random({1}, "numbers");
  NumberArray array{.name = "x", .shape = {5, 4, 3}, .values = {}};
  for (int i = 0; i < 60; ++i) array.values.push_back(random.normal() * std::pow(10.0, i - 30));
  array.values[0] = std::numeric_limits<double>::denorm_min();
  array.values[1] = -0.0;
  array.values[2] = std::numeric_limits<double>::max();
  const NumberArray other{.name = "y", .shape = {1}, .values = {0.1}};
  const std::array<NumberArray, 2> both{array, other};
  write_numbers(part_file("numbers.json"), both);
  const auto found = read_numbers(part_file("numbers.json"), both);
  EXPECT_EQ(found[0], array.values);
  EXPECT_TRUE(std::signbit(found[0][1]));
  EXPECT_EQ(found[1], other.values);
}

TEST(NumberFile, RefusesOtherShapesAndNames) {
  const NumberArray shape{.name = "x", .shape = {2, 2}, .values = {}};
  const auto expect_refused = [&](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { parse_numbers(text, "FILE", {&shape, 1}); }, ThrowsMessage<Error>(HasSubstr(message)));
  };
  EXPECT_THAT(parse_numbers(R"({"x": [[1, 2], [3, 4]], "z": 0})", "FILE", {&shape, 1})[0], ElementsAre(1, 2, 3, 4));
  expect_refused(R"({"y": [[1, 2], [3, 4]]})", "FILE: expected a field 'x'");
  expect_refused(R"({"x": [[1, 2]]})", "FILE: x: expected a list of 2, found 1");
  expect_refused(R"({"x": [[1, 2], [3]]})", "FILE: x[1]: expected a list of 2, found 1");
  expect_refused(R"({"x": [[1, 2], 3]})", "FILE: x[1]: expected a list of 2, found number");
  expect_refused(R"({"x": [[1, 2], [3, null]]})", "FILE: x[1][1]: expected a number, found null");
  expect_refused(R"({"x": [[1, 2], [3, 1e999]]})", "FILE");
}

TEST(PreferenceFile, SharesStayAsTheyAre) {
  Random random({1}, "preferences");
  for (int i = 0; i < 200; ++i) {
    const Preference preference(random.dirichlet(std::vector<double>(7, 0.5)), 7);
    write_preference(preference, part_file("preference.json"));
    EXPECT_EQ(read_preference(part_file("preference.json"), 7), preference) << i;
  }
}

TEST(PreferenceFile, NumbersOfAnyScaleAreShares) {
  EXPECT_THAT(parse_preference(R"({"preference": [3, 1]})", "FILE", 2).weights(), ElementsAre(0.75, 0.25));
  const auto expect_refused = [](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { parse_preference(text, "FILE", 2); }, ThrowsMessage<Error>(HasSubstr(message)));
  };
  expect_refused(R"({"preference": [0, 0]})", "FILE: preference: expected at least one positive number");
  expect_refused(R"({"preference": [2, -1]})", "FILE: preference: expected a finite number >= 0 for objective 1, found -1");
  expect_refused(R"({"preference": [1]})", "FILE: preference: expected a list of 2, found 1");
}

TEST(QuestionLines, AreReadAsTheyWereWritten) {
  const std::vector<QuestionLine> lines = {{"sums", "1+1?\n\"x\"\t\x01é", "2"}, {"", "\n\nHuman: hi", ""}};
  write_question_lines(lines, part_file("train.jsonl"));
  EXPECT_EQ(read_question_lines(part_file("train.jsonl")), lines);
}

TEST(QuestionLines, RefuseWhatIsNone) {
  const auto expect_refused = [](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { parse_question_lines(text, "FILE"); }, ThrowsMessage<Error>(HasSubstr(message)));
  };
  EXPECT_EQ(parse_question_lines("\n {\"prompt\": \"a\", \"more\": 1}\r\n\n", "FILE").size(), 1U);
  expect_refused("\n\n", "FILE: expected at least one line, found none");
  expect_refused("{\"prompt\": \"a\"}\n{\"prompt\"", "FILE:2");
  expect_refused("{\"prompt\": \"\"}\n", "FILE:1: prompt: expected a text, found an empty one");
  expect_refused("{\"reference\": \"2\"}\n", "FILE:1: expected a field 'prompt'");
  expect_refused("{\"prompt\": 2}\n", "FILE:1: prompt: expected a text, found number");
}

}  // namespace
}  // namespace paretofl
