#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kIndicators = command_path() + " indicators ";

class IndicatorsCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "paretofl_indicators_test";
    std::filesystem::create_directories(folder_);
    write("points.csv", "a,b\n1,4\n3,3\n2,1\n3,3\n4,1\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  json indicators(const std::string& arguments) const {
    const Outcome outcome = run_in_shell(kIndicators + arguments, folder_);
    EXPECT_EQ(outcome.code, 0) << arguments;
    return json::parse(outcome.out);
  }

  // Exit code 1, one line on stderr that names the fault, nothing on stdout.
  void expect_error(const std::string& arguments, const std::string& message) const {
    const Outcome outcome = run_in_shell(kIndicators + arguments + " 2>stderr", folder_);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_EQ(outcome.out, "");
    std::ifstream file(folder_ / "stderr");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(text, HasSubstr(message));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  }

  std::filesystem::path folder_;
};

TEST_F(IndicatorsCommand, PrintsEveryIndicator) {
  write("front.csv", "1,4\n3,3\n4,4\n");
  const json result = indicators("points.csv --reference 0,0 --reference-front front.csv");
  EXPECT_EQ(result, json({{"hypervolume", 4 + 6 + 1 - 1 + 1},
                          {"sparsity", (4 + 1 + 1 + 4) / 2.0},
                          {"igd", (0 + 0 + std::sqrt(2.0)) / 3},
                          {"cardinality", 3},
                          {"front", {0, 1, 3, 4}},
                          {"expected_utility", nullptr},
                          {"maximum_utility_loss", nullptr}}));
}

TEST_F(IndicatorsCommand, MeasuresDistancesFromTheFrontAlone) {
  write("front.csv", "2,1\n");
  EXPECT_EQ(indicators("points.csv --reference-front front.csv").at("igd"), 2) << "(2, 1) itself is dominated; (4, 1) is nearest";
  write("three.csv", "3,3\n");
  EXPECT_EQ(indicators("points.csv --minimize --reference-front three.csv").at("igd"), std::sqrt(5.0)) << "(3, 3) is dominated by (2, 1)";
}

TEST_F(IndicatorsCommand, HasTheUtilitiesOfPreferences) {
  write("front.csv", "1,4\n5,3\n");
  write("preferences.csv", "1,0\n0,2\n1,1\n");
  const json result = indicators("points.csv --reference-front front.csv --preferences preferences.csv");
  EXPECT_DOUBLE_EQ(result.at("expected_utility").get<double>(), (4 + 4 + 3) / 3.0);
  EXPECT_EQ(result.at("maximum_utility_loss"), 1);
  const json minimized = indicators("points.csv --minimize --preferences preferences.csv");
  EXPECT_DOUBLE_EQ(minimized.at("expected_utility").get<double>(), -(1 + 1 + 1.5) / 3);
  EXPECT_TRUE(minimized.at("maximum_utility_loss").is_null()) << "without a reference set";
}

TEST_F(IndicatorsCommand, IsNullWhereAReferenceIsMissing) {
  const json result = indicators("points.csv");
  EXPECT_TRUE(result.at("hypervolume").is_null());
  EXPECT_TRUE(result.at("igd").is_null());
  EXPECT_EQ(result.at("cardinality"), 3);
  EXPECT_EQ(indicators("points.csv --json"), result);
}

TEST_F(IndicatorsCommand, Minimizes) {
  const json result = indicators("points.csv --minimize --reference 5,5");
  EXPECT_EQ(result.at("front"), json({0, 2}));
  EXPECT_EQ(result.at("hypervolume"), 4 + 12 - 3);
}

TEST_F(IndicatorsCommand, TakesADirectionForEachObjective) {
  EXPECT_EQ(indicators("points.csv --directions max,max --reference 0,0"), indicators("points.csv --reference 0,0"));
  EXPECT_EQ(indicators("points.csv --directions min,min --reference 5,5"), indicators("points.csv --minimize --reference 5,5"));
  write("mixed.csv", "accuracy,loss\n1,2\n3,3\n2,4\n");
  const json result = indicators("mixed.csv --directions max,min --reference 0,5");
  EXPECT_EQ(result.at("front"), json({0, 1})) << "(2, 4) is worse in both than (3, 3)";
  EXPECT_EQ(result.at("hypervolume"), 1 * 3 + 2 * 2);
  expect_error("mixed.csv --directions max", "--directions: expected 2 words for the columns of mixed.csv, found 1");
  expect_error("mixed.csv --directions max,up", "--directions: expected max or min for each objective, found 'up'");
  expect_error("mixed.csv --directions max,min --minimize", "--minimize");
}

TEST_F(IndicatorsCommand, TakesANegativeReference) {
  EXPECT_EQ(indicators("points.csv --reference -1,-1"), indicators("points.csv --reference=-1,-1"));
  EXPECT_EQ(indicators("points.csv --reference -1,-1").at("hypervolume"), 2 * 5 + 2 * 4 + 1 * 2);
}

TEST_F(IndicatorsCommand, ReadsAPipe) {
  const Outcome outcome = run_in_shell("cat points.csv | " + kIndicators + "/dev/stdin", folder_);
  EXPECT_EQ(json::parse(outcome.out), indicators("points.csv"));
}

TEST_F(IndicatorsCommand, RejectsBadInput) {
  write("ragged.csv", "1,2\n3\n");
  write("word.csv", "1,2\n3,x\n");
  write("nan.csv", "1,2\n3,nan\n");
  write("empty.csv", "");
  write("seven.csv", "1,2,3,4,5,6,7\n");
  write("three.csv", "1,2,3\n");
  expect_error("ragged.csv", "ragged.csv, line 2: expected 2 numbers");
  expect_error("word.csv", "word.csv, line 2: expected a number");
  expect_error("nan.csv", "nan.csv, line 2: expected a number");
  expect_error("empty.csv", "empty.csv: expected a CSV file of points, found nothing");
  expect_error("missing.csv", "missing.csv: expected a file, found none");
  expect_error(".", ".: expected a file, found a folder");
  expect_error("points.csv --reference 1", "expected a reference point of 2 numbers, found 1");
  expect_error("points.csv --reference 1,b", "--reference: expected a number");
  expect_error("points.csv --reference-front three.csv", "expected a reference front of 2 objectives, found 3");
  expect_error("points.csv --reference-front ragged.csv", "ragged.csv, line 2");
  write("zeros.csv", "1,2\n0,0\n");
  write("negative.csv", "1,-2\n");
  expect_error("points.csv --preferences three.csv", "three.csv, row 1: preference: expected 2 numbers");
  expect_error("points.csv --preferences zeros.csv", "zeros.csv, row 2: preference: expected at least one positive number");
  expect_error("points.csv --preferences negative.csv", "expected a finite number >= 0 for objective 1, found -2");
  expect_error("seven.csv --reference 0,0,0,0,0,0,0", "expected at most 6 objectives, found 7");
}

TEST_F(IndicatorsCommand, NeedsAFileAndKnownOptions) {
  EXPECT_NE(run_in_shell(kIndicators + "2>/dev/null", folder_).code, 0);
  EXPECT_NE(run_in_shell(kIndicators + "points.csv --maximise 2>/dev/null", folder_).code, 0);
}

TEST_F(IndicatorsCommand, HelpHasAnExampleThatHolds) {
  const Outcome help = run_in_shell(kIndicators + "--help", folder_);
  EXPECT_EQ(help.code, 0);
  const auto line_from = [&](const std::string& start) {
    const auto begin = help.out.find("\n  " + start);
    EXPECT_NE(begin, std::string::npos) << start;
    return help.out.substr(begin + 3, help.out.find('\n', begin + 1) - begin - 3);
  };
  const std::string write_points = line_from("printf ");
  const std::string arguments = line_from("paretofl indicators ").substr(std::string("paretofl indicators ").size());
  const Outcome outcome = run_in_shell(write_points + " && " + kIndicators + arguments, folder_);
  EXPECT_EQ(outcome.out, line_from("{") + "\n");
}

}  // namespace
}  // namespace paretofl
