// What `paretofl export` and `paretofl evaluate` print, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tests/apps/run_command.h"
#include "tests/conformance/small_workload.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Export : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Outcome command(const std::string& arguments) const { return run_in_shell("'" + command_path() + "' " + arguments, folder_); }
  std::string output_of(const std::string& arguments) const {
    const Outcome outcome = command(arguments + " 2>&1");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    return outcome.out;
  }
  /// The one line that a refusal is.
  std::string refusal_of(const std::string& arguments) const {
    const Outcome outcome = command(arguments + " 2>&1");
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
    EXPECT_THAT(outcome.out, StartsWith("paretofl: "));
    return outcome.out;
  }
  json summary(const std::string& run) const {
    std::ifstream file(folder_ / run / "summary.json");
    return json::parse(file);
  }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("paretofl_export_" + std::to_string(::getpid()));
};

TEST_F(Export, PrintsTheFileOrWhatItHolds) {
  output_of("run firm-tabular_mdp --set rounds=3 --dir r");
  EXPECT_EQ(output_of("export r --format onnx --output policy.onnx"), "policy.onnx\n");
  const json printed = json::parse(output_of("export r --format safetensors --output policy --json"));
  EXPECT_EQ(printed, json::parse(R"({"file": "policy", "format": "safetensors", "round": 3, "tensors": 1, "parameters": 40})"));
  EXPECT_EQ(output_of("export r --format numpy --output once.npz && cp once.npz twice.npz && cmp once.npz twice.npz"), "once.npz\n");
  EXPECT_THAT(refusal_of("export r --format onnx --output no/such/folder/x"), HasSubstr("expected a file that can be written"));
  EXPECT_THAT(refusal_of("export r --format yaml --output x"), HasSubstr("expected the format safetensors, numpy or onnx, found 'yaml'"));
  EXPECT_THAT(refusal_of("export r --format numpy --output x --client 0"), HasSubstr("client: expected none"));
  EXPECT_THAT(refusal_of("export r --format numpy"), HasSubstr("--output"));
  EXPECT_THAT(refusal_of("export absent --format numpy --output x"), HasSubstr("expected a run in absent"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "absent"));
}

TEST_F(Export, EvaluatePrintsTheTableOfTheRunsEnd) {
  const std::string end = output_of("run fedcmoo-quadratics --set rounds=3 --dir r");
  const std::string table = output_of("evaluate r");
  EXPECT_THAT(table, StartsWith("fedcmoo on quadratics, seed 1, the model of round 3:\ntest"));
  EXPECT_THAT(end, HasSubstr(table.substr(table.find('\n'))));
  const json printed = json::parse(output_of("evaluate r --json"));
  EXPECT_EQ(printed["test"], summary("r")["test"]);
  EXPECT_EQ(printed["overall"], summary("r").value("overall", json()));
  EXPECT_EQ(printed["strategy"], "fedcmoo");
  output_of("run no_communication-quadratics --set rounds=2 --dir own");
  EXPECT_THAT(output_of("evaluate own"), HasSubstr("the models of round 2; means over the clients' own models:\n"));
  EXPECT_EQ(json::parse(output_of("evaluate own --json"))["clients"], summary("own")["clients"]);
}

TEST_F(Export, EvaluateTellsOfASharedModelThatItIsOneAndItsFront) {
  const std::string end = output_of(
      "run envelope_dqn-deep_sea_treasure --set rounds=2 --set workload.clients=3 --set strategy.cohort_size=3 --set "
      "strategy.local_steps=20 --set workload.agent.learning_starts=10 --dir r");
  const std::string table = output_of("evaluate r");
  EXPECT_THAT(table, HasSubstr("the model of round 2; means over the clients, which share it:\n"));
  EXPECT_THAT(end, HasSubstr("after 2 rounds; means over the clients:\n"));
  EXPECT_THAT(table, HasSubstr("\nfront at    return treasure  return time"));
  EXPECT_THAT(table, HasSubstr("\n0.25, 0.75  "));
  EXPECT_THAT(end, HasSubstr(table.substr(table.find('\n')))) << "the table of the run's end";
  EXPECT_EQ(output_of("export r --format numpy --output model.npz"), "model.npz\n") << "whose client is no question";
  EXPECT_THAT(output_of("evaluate r --preference 1,3"), Not(HasSubstr("front at")));
}

TEST_F(Export, EvaluateRefusesAnotherConfig) {
  output_of("run fedcmoo-quadratics --set rounds=3 --dir r");
  output_of("evaluate r && sed -i 's/^seed = 1/seed = 2/' r/config.toml");
  EXPECT_THAT(refusal_of("evaluate r"), HasSubstr("evaluate: expected seed 1 as in the checkpoint, found 2 in config.toml"));
  EXPECT_THAT(refusal_of("evaluate absent"), HasSubstr("expected a run in absent"));
}

TEST_F(Export, EvaluateTakesDataFromElsewhere) {
  write_digits(folder_ / "data/mnist", 300, 60);
  output_of(
      "run fedavg-multimnist --set rounds=1 --set workload.clients=3 --set workload.samples_per_client=40 --set strategy.cohort_size=2 "
      "--dir r");
  const std::string here = output_of("evaluate r --json");
  EXPECT_EQ(json::parse(here)["test"], summary("r")["test"]);
  std::filesystem::rename(folder_ / "data", folder_ / "moved");
  EXPECT_THAT(refusal_of("evaluate r"), HasSubstr("data.root is 'data'"));
  EXPECT_EQ(output_of("evaluate r --json --data moved"), here);
  write_digits(folder_ / "other/mnist", 320, 70);
  EXPECT_THAT(
      output_of("evaluate r --data other"),
      AllOf(HasSubstr("evaluate: expected the data and models that the run was trained with (fingerprint "), HasSubstr("accuracy")));
  EXPECT_EQ(output_of("export r --format onnx --output digits.onnx"), "digits.onnx\n") << "needs no data";
}

}  // namespace
}  // namespace paretofl
