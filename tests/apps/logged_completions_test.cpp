// `paretofl run` with workload.log_completions_every: the file, with any number of threads and after a resumed run, and where it is
// refused.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

class LoggedCompletions : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Four clients, three rounds, a tiny model of random parameters.
  Outcome run(const std::string& directory, const std::string& settings, const std::string& command = "run") const {
    return run_in_shell(
        "'" + command_path() + "' " + command +
            " fedmoa-arithmetic --set workload.model= --set workload.clients=4 --set strategy.cohort_size=4 --set rounds=3 "
            "--set strategy.local_steps=2 --set strategy.local_evaluation_every=0 --set evaluation.every=3 --set evaluation.choose_by= "
            "--set workload.evaluation_questions=4 --set workload.grpo.prompts=2 --set workload.grpo.completions=2 "
            "--set workload.grpo.max_new_tokens=6 --set checkpoint.every=1 --dir " +
            directory + " " + settings + " 2>&1",
        folder_);
  }
  std::string text(const std::string& file) const {
    std::stringstream all;
    all << std::ifstream(folder_ / file).rdbuf();
    return all.str();
  }
  std::string parameters(const std::string& directory) const {
    return nlohmann::json::parse(text(directory + "/summary.json")).value("parameters_sha256", "");
  }

  fs::path folder_ = fs::temp_directory_path() / ("paretofl_logged_completions_" + std::to_string(::getpid()));
  const std::string log_ = "/training_completions.jsonl";
};

TEST_F(LoggedCompletions, AreTheSameWithAnyThreadsAndAfterAResumedRunAndChangeNoBit) {
  const std::string logging = "--set workload.log_completions_every=2 --set workload.log_completions_per_client=3 ";
  ASSERT_EQ(run("plain", "").code, 0);
  ASSERT_EQ(run("one", logging + "--set runtime.threads=1").code, 0);
  ASSERT_EQ(run("two", logging + "--set runtime.threads=2").code, 0);
  EXPECT_FALSE(fs::exists(folder_ / ("plain" + log_)));
  const std::string lines = text("one" + log_);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 12) << "three of each client in round 2";
  EXPECT_EQ(text("two" + log_), lines);
  EXPECT_EQ(parameters("one"), parameters("plain"));

  ASSERT_EQ(run("resumed", logging + "--set rounds=2").code, 0);
  std::ofstream(folder_ / ("resumed" + log_), std::ios::app) << R"({"round":3,"client":0})" << '\n';  // of a run that was killed in round 3
  ASSERT_EQ(run_in_shell("'" + command_path() + "' run --resume resumed --set rounds=3 2>&1", folder_).code, 0);
  EXPECT_EQ(text("resumed" + log_), lines);
  EXPECT_EQ(parameters("resumed"), parameters("plain"));

  ASSERT_EQ(run("two", "--overwrite").code, 0);
  EXPECT_FALSE(fs::exists(folder_ / ("two" + log_))) << "of the earlier run";
}

TEST_F(LoggedCompletions, AreRefusedWhereTheServerMaySeeSumsAlone) {
  const Outcome outcome =
      run("sums", "--set workload.log_completions_every=1 --set privacy.secure_aggregation=true --set strategy.clusters=accuracy");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, testing::HasSubstr("workload.log_completions_every: expected 0 where privacy lets the server see sums alone"));
}

TEST_F(LoggedCompletions, AreRefusedWhereClientsAreInOtherProcesses) {
  const std::string logging = "--set workload.log_completions_every=1 ";
  const auto expect_refused = [](const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, testing::HasSubstr("workload.log_completions_every: expected 0 where clients compute in other processes"));
    EXPECT_THAT(outcome.out, testing::HasSubstr("found runtime sockets"));
  };
  expect_refused(run("sockets", logging + "--set runtime.name=sockets --set 'runtime.sockets=client-{client}'"));
  EXPECT_FALSE(fs::exists(folder_ / "sockets"));
  expect_refused(run("federated", logging + "--carrier sockets", "federate"));
  EXPECT_FALSE(fs::exists(folder_ / ("federated" + log_)));
}

}  // namespace
}  // namespace paretofl
