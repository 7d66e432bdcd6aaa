#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kWeights = command_path() + " weights ";

class WeightsCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "paretofl_weights_test";
    std::filesystem::create_directories(folder_);
    write("pair.json", R"({"gramian": [[1, 0], [0, 3]], "losses": [1.5, 2]})");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  json weights(const std::string& arguments) const {
    const Outcome outcome = run_in_shell(kWeights + arguments, folder_);
    EXPECT_EQ(outcome.code, 0) << arguments;
    return json::parse(outcome.out);
  }

  // One line that names the fault, and exit code 1.
  void expect_error(const std::string& arguments, const std::string& message) const {
    const Outcome outcome = run_in_shell(kWeights + arguments + " 2>error.txt", folder_);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_EQ(outcome.out, "");
    const std::string error = run_in_shell("cat error.txt", folder_).out;
    EXPECT_THAT(error, HasSubstr(message));
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
  }

  void expect_bad_file(const std::string& text, const std::string& message) const {
    write("bad.json", text);
    expect_error("--solver min_norm bad.json", message);
  }

  std::filesystem::path folder_;
};

TEST_F(WeightsCommand, PrintsTheSolution) {
  EXPECT_EQ(weights("--solver min_norm pair.json"), json({{"lambda", {0.75, 0.25}}, {"kkt_residual", 0.0}, {"iterations", 1}}));
  EXPECT_EQ(weights("--solver fixed pair.json --json").at("lambda"), json({0.5, 0.5}));
}

TEST_F(WeightsCommand, SetsOptions) {
  EXPECT_EQ(weights("--solver fixed --set objective_weights=[1,3] pair.json").at("lambda"), json({0.25, 0.75}));
  EXPECT_EQ(weights("--solver projected_gradient --set beta=0.1 --set steps=1 --set normalize=false pair.json").at("lambda"),
            json({0.55, 0.45}));
  EXPECT_EQ(weights("--solver regularized_min_norm --set trace_normalization=false --set beta=2 pair.json").at("lambda"),
            json({4.0 / 6, 2.0 / 6}));
}

TEST_F(WeightsCommand, ReadsStandardInput) {
  const Outcome outcome = run_in_shell("cat pair.json | " + kWeights + "--solver min_norm -", folder_);
  EXPECT_EQ(json::parse(outcome.out), weights("--solver min_norm pair.json"));
}

TEST_F(WeightsCommand, UsesEveryKey) {
  write("full.json", R"({"gramian": [[1, 0], [0, 3]], "previous": [0, 1], "preference": [1, 1], "step": 4})");
  // lambda* of diag(1 + 1, 3 + 1), then a quarter of the way there.
  const json lambda =
      weights("--solver regularized_min_norm --set trace_normalization=false --set smoothing=harmonic full.json").at("lambda");
  EXPECT_DOUBLE_EQ(lambda.at(0), 2.0 / 3 / 4);
  write("two.json", R"({"gramian": [[1, 0], [0, 3]], "previous": [1, 0], "two_sample_products": [[1, 2], [0, 3]]})");
  EXPECT_DOUBLE_EQ(weights("--solver modo two.json").at("lambda").at(0), 0.95);
  write("fall.json", R"({"gramian": [[1, 0], [0, 3]], "losses": [1, 1], "previous": [0.5, 0.5], "previous_losses": [2, 1]})");
  // z was (2/3, 1/3), and the first log loss fell by log 2: the logits move by -+ 2/9 log 2.
  EXPECT_NEAR(weights("--solver famo --set beta=1 --set gamma=0 fall.json").at("lambda").at(0),
              1 / (1 + 0.5 * std::exp(4.0 / 9 * std::log(2))), 1e-14);
}

TEST_F(WeightsCommand, RejectsBadFiles) {
  expect_bad_file(R"({"gramian": [[1, 0], [0]]})", "gramian: expected 2 numbers in row 1, one per row, found 1");
  expect_bad_file(R"({"gramian": [[1, 0], [0, "x"]]})", "gramian row 1: expected a list of numbers, found string at 1");
  expect_bad_file(R"({"gramian": [[1, 0], [0, null]]})", "gramian row 1: expected a list of numbers, found null at 1");
  expect_bad_file(R"({"gramian": [[1, 0], 5]})", "gramian row 1: expected a list of numbers, found number");
  expect_bad_file(R"({"gramian": [[1, 2], [3, 1]]})", "gramian: expected a symmetric matrix");
  expect_bad_file(R"({"gramian": [[1, 0], [0, -1]]})", "gramian: expected a non-negative diagonal");
  expect_bad_file(R"({"gramian": []})", "gramian: expected a list of rows, found an empty one");
  expect_bad_file(R"({"gramian": 3})", "gramian: expected a list of rows, found number");
  expect_bad_file(R"({"gramian": [[1, 0], [0, NaN]]})", "bad.json: expected JSON");
  expect_bad_file(R"({"gramian": [[1e999]]})", "bad.json: expected numbers that a double holds, found '1e999'");
  expect_bad_file(R"({"gramian": [[1]], "gramain": [[1]]})", "found 'gramain'");
  expect_bad_file(R"({"gramian": [[1]], "losses": [1, 2]})", "losses: expected 1 values");
  expect_bad_file(R"({"gramian": [[1]], "losses": {}})", "losses: expected a list of numbers, found object");
  expect_bad_file(R"({"gramian": [[1]], "previous": [0.5]})", "previous: expected objective weights whose absolute values sum to 1");
  expect_bad_file(R"({"gramian": [[1]], "preference": [0]})", "preference: expected positive values, found 0");
  expect_bad_file(R"({"gramian": [[1]], "step": 0})", "step: expected at least 1, found 0");
  expect_bad_file(R"({"gramian": [[1]], "step": 1.5})", "step: expected an integer, found 1.5");
  expect_bad_file(R"({"gramian": [[1]], "previous_losses": [1, 2]})", "previous_losses: expected 1 values");
  expect_bad_file(R"({"gramian": [[1]], "two_sample_products": [[1, 2]]})", "two_sample_products: expected 1 numbers in row 0");
  expect_bad_file(R"({"gramian": [[1]], "two_sample_products": [[1, 2], [3, 4]]})", "two_sample_products: expected 1 values");
  expect_bad_file(R"({"losses": [1]})", "expected a JSON object with a gramian, found one without");
  expect_bad_file("[[1]]", "expected a JSON object with a gramian, found array");
  expect_bad_file("{\"gramian\": [[1,\n 0], [0", "bad.json: expected JSON, found: parse error at line 2");
  expect_bad_file("", "bad.json: expected a JSON object, found nothing");
  expect_bad_file(std::string(100000, '['), "bad.json: expected JSON");
  expect_error("--solver min_norm missing.json", "missing.json: expected a file, found none");
  expect_error("--solver min_norm .", ".: expected a file, found a folder");
}

TEST_F(WeightsCommand, RejectsBadOptions) {
  expect_error("--solver mim_norm pair.json", "solver: expected one of fixed, min_norm, regularized_min_norm, ");
  expect_error("--solver regularized_min_norm --set bets=1 pair.json", "did you mean solver.beta?");
  expect_error("--solver regularized_min_norm --set beta=-1 pair.json", "expected solver.beta >= 0, found -1");
  expect_error("--solver regularized_min_norm --set beta pair.json", "--set: expected key=value, found 'beta'");
  expect_error("--solver regularized_min_norm --set smoothing=on pair.json", "off, constant, harmonic");
  expect_error("--solver fixed --set objective_weights=[1,2,3] pair.json", "fixed: expected 2 objective_weights");
  EXPECT_NE(run_in_shell(kWeights + "pair.json 2>/dev/null", folder_).code, 0);
}

TEST_F(WeightsCommand, HelpHasAnExampleThatHolds) {
  const Outcome help = run_in_shell(kWeights + "--help", folder_);
  EXPECT_EQ(help.code, 0);
  const auto line_from = [&](const std::string& start) {
    const auto begin = help.out.find("\n  " + start);
    EXPECT_NE(begin, std::string::npos) << start;
    return help.out.substr(begin + 3, help.out.find('\n', begin + 1) - begin - 3);
  };
  const std::string write_problem = line_from("printf ");
  const std::string arguments = line_from("paretofl weights ").substr(std::string("paretofl weights ").size());
  const Outcome outcome = run_in_shell(write_problem + " && " + kWeights + arguments, folder_);
  EXPECT_EQ(outcome.out, line_from("{") + "\n");
}

}  // namespace
}  // namespace paretofl
