// Runs with deadlines, additional clients and stragglers: one result by the simulated clock, and MPI jobs whose ranks stop or die.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/apps/child_process.h"
#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

const std::string kStragglerConfigs = source_path() + "/experiments/fedcmoo/";
const std::string kStragglers =
    "-quadratics.toml --set runtime.simulated_seconds=1 --set runtime.simulated_spread=0.5 --set runtime.straggler_share=0.2";
const std::string kLimits = kStragglers + " --set runtime.deadline_seconds=1.4 --set runtime.over_sample=0.3";
const std::string kStragglerRun = kStragglerConfigs + "fedcmoo" + kStragglers;
const std::string kWithLimits = kStragglerConfigs + "fedcmoo" + kLimits;

class Stragglers : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Outcome run(const std::string& arguments) const { return run_in_shell("'" + command_path() + "' run " + arguments + " 2>&1", folder_); }

  nlohmann::json summary(const std::string& directory) const {
    std::ifstream file(folder_ / directory / "summary.json");
    return nlohmann::json::parse(file, nullptr, false);
  }

  /// The whole rows of metrics.jsonl, without what no two runs share.
  std::vector<nlohmann::json> rows(const std::string& directory) const {
    std::vector<nlohmann::json> rows;
    std::ifstream file(folder_ / directory / "metrics.jsonl");
    for (std::string line; std::getline(file, line) && !file.eof();) {
      rows.push_back(nlohmann::json::parse(line));
      rows.back().erase("seconds");
    }
    return rows;
  }

  void expect_equal(const std::string& directory, const std::string& other) const {
    EXPECT_EQ(rows(directory), rows(other)) << directory;
    EXPECT_EQ(summary(directory)["parameters_sha256"], summary(other)["parameters_sha256"]) << directory;
    for (const char* key : {"late", "simulated_seconds"}) EXPECT_EQ(summary(directory)[key], summary(other)[key]) << directory;
  }

  std::filesystem::path folder_ =
      std::filesystem::canonical(testing::TempDir()) / ("paretofl_straggler_test_" + std::to_string(::getpid()));
};

TEST_F(Stragglers, GiveOneResultOnAnyThreadsAndProcesses) {
  for (const char* strategy : {"fedcmoo", "fedcmoo_theory", "fedavg"}) {
    const std::string config = kStragglerConfigs + strategy + kLimits + " --set rounds=20 --overwrite";
    ASSERT_EQ(run(config + " --set runtime.threads=1 --dir one").code, 0);
    ASSERT_EQ(run(config + " --set runtime.threads=2 --dir two").code, 0);
    expect_equal("two", "one");
    EXPECT_GT(summary("one")["late"], 20) << strategy;
#ifdef PARETOFL_TESTS_MPI
    for (const char* ranks : {"2", "3"}) {
      const Outcome outcome = run_in_shell(
          "'" + mpiexec_path() + "' -np " + ranks + " '" + command_path() + "' run " + config + " --set runtime.name=mpi --dir mpi 2>&1",
          folder_);
      ASSERT_EQ(outcome.code, 0) << outcome.out;
      expect_equal("mpi", "one");
    }
#endif
  }
}

TEST_F(Stragglers, GoOnBitForBit) {
  ASSERT_EQ(run(kWithLimits + " --set rounds=30 --dir straight").code, 0);
  ASSERT_EQ(run(kWithLimits + " --set rounds=11 --dir stopped").code, 0);
  const Outcome resumed = run("--resume stopped --set rounds=30 --set runtime.patience_seconds=5");
  ASSERT_EQ(resumed.code, 0) << resumed.out;
  expect_equal("stopped", "straight");
  EXPECT_THAT(run("--resume stopped --set rounds=31 --set runtime.deadline_seconds=2").out, HasSubstr("--resume: expected --set of"));
}

TEST_F(Stragglers, EveryRowSaysWhoWasLateAndTheSummaryHowMany) {
  ASSERT_EQ(run(kWithLimits + " --set rounds=30 --dir run").code, 0);
  std::uint64_t late = 0;
  double seconds = 0;
  for (const nlohmann::json& row : rows("run")) {
    late += row.at("late").get<std::uint64_t>();
    seconds += row.at("simulated_seconds").get<double>();
    EXPECT_LE(row.at("simulated_seconds"), 3 * 1.4) << "three exchanges";
    for (const nlohmann::json& failure : row.at("failures")) EXPECT_EQ(failure["reason"], "late: no reply before the deadline");
  }
  EXPECT_EQ(summary("run")["late"], late);
  EXPECT_NEAR(summary("run")["simulated_seconds"].get<double>(), seconds, 1e-9);
  ASSERT_EQ(run(kStragglerRun + " --set rounds=30 --dir patient").code, 0);
  EXPECT_EQ(summary("patient")["late"], 0);
  EXPECT_GT(summary("patient")["simulated_seconds"], 5 * seconds) << "stragglers take ten times longer";
  ASSERT_EQ(run(source_path() + "/experiments/fedcmoo/fedavg-quadratics.toml --set rounds=2 --dir plain").code, 0);
  for (const nlohmann::json& row : rows("plain")) {
    EXPECT_EQ(row.at("late"), 0);
    EXPECT_TRUE(row.at("failures").empty());
    EXPECT_FALSE(row.contains("simulated_seconds"));
  }
}

TEST_F(Stragglers, NeedSimulatedSeconds) {
  const Outcome outcome = run(source_path() + "/experiments/fedcmoo/fedavg-quadratics.toml --set runtime.straggler_share=0.2");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "paretofl: runtime.straggler_share: expected simulated_seconds of more than 0 with it, found 0\n");
}

#ifdef PARETOFL_TESTS_MPI
const std::string kLongRun = source_path() + "/experiments/fedcmoo/fedcmoo-quadratics.toml";

class RanksThatStop : public Stragglers {
 protected:
  /// Starts a job that ends by itself only after very many rounds, in `stopped`.
  void start(int ranks, std::vector<std::string> settings) {
    settings.insert(settings.end(), {"rounds=1000000", "checkpoint.every=1", "runtime.name=mpi", "runtime.threads=1"});
    std::vector<std::string> words = {mpiexec_path(), "-np", std::to_string(ranks), command_path(), "run", kLongRun, "--dir", "stopped"};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    job_ = ::fork();
    if (job_ != 0) return;
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int log = ::open((folder_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(log, STDERR_FILENO);
    ::dup2(log, STDOUT_FILENO);
    if (::chdir(folder_.c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }

  /// The process of a rank that works in the test's folder.
  pid_t process_of(int rank) const {
    const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      if (std::filesystem::read_symlink(entry.path() / "cwd", failure) != folder_ || failure) continue;
      std::ifstream file(entry.path() / "environ");
      for (std::string variable; std::getline(file, variable, '\0');) {
        if (variable == wanted) return std::stoi(entry.path().filename().string());
      }
    }
    return 0;
  }

  /// Whether the job has written that many rows, before it ended and within six minutes.
  bool reaches(std::size_t rows_in_all) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(6);
    const auto reached = [&] { return rows("stopped").size() >= rows_in_all; };
    const auto settled = [&] { return reached() || std::chrono::steady_clock::now() > end; };
    return reached_before_the_end_of(job_, status_, settled) && reached();
  }

  /// The exit code of the job, which must end within six minutes.
  int wait_for_end() {
    if (!ends_within(std::chrono::minutes(6), job_, status_)) {
      ADD_FAILURE() << "the job hangs";
      ::kill(job_, SIGKILL);
      ::waitpid(job_, &status_, 0);
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  }

  std::string log() const { return run_in_shell("cat log", folder_).out; }

  pid_t job_ = 0;
  int status_ = 0;
};

TEST_F(RanksThatStop, OneThatDiesEndsTheJobWhichGoesOnBitForBit) {
  start(3, {});
  ASSERT_TRUE(reaches(3)) << log();
  const pid_t dying = process_of(1);
  ASSERT_GT(dying, 0);
  ASSERT_EQ(::kill(dying, SIGKILL), 0);
  EXPECT_NE(wait_for_end(), 0);
  EXPECT_THAT(log(), HasSubstr("continue from the newest checkpoint with: mpirun -np 3 paretofl run --resume stopped\n"));
  const std::string rounds = " --set rounds=" + std::to_string(rows("stopped").size() + 3);
  const Outcome resumed =
      run_in_shell("'" + mpiexec_path() + "' -np 3 '" + command_path() + "' run --resume stopped" + rounds + " 2>&1", folder_);
  ASSERT_EQ(resumed.code, 0) << resumed.out;
  ASSERT_EQ(run(kLongRun + " --set checkpoint.every=1 --dir straight" + rounds).code, 0);
  expect_equal("stopped", "straight");
}

TEST_F(RanksThatStop, UnderADeadlineTheJobGoesOnWithoutOneThatIsStopped) {
  start(3, {"runtime.deadline_seconds=0.3", "min_reply_fraction=0", "max_abandoned_rounds=1000000", "runtime.patience_seconds=60"});
  ASSERT_TRUE(reaches(3)) << log();
  const pid_t leading = process_of(0);
  const pid_t stopped = process_of(1);
  ASSERT_GT(leading, 0);
  ASSERT_GT(stopped, 0);
  ASSERT_EQ(::kill(stopped, SIGSTOP), 0);
  const std::size_t before = rows("stopped").size();
  EXPECT_TRUE(reaches(before + 20)) << log();
  std::uint64_t late = 0;
  for (const nlohmann::json& row : rows("stopped")) late += row["late"].get<std::uint64_t>();
  EXPECT_GT(late, 0U);
  ASSERT_EQ(::kill(stopped, SIGCONT), 0);
  EXPECT_TRUE(reaches(rows("stopped").size() + 20)) << log();
  ASSERT_EQ(::kill(stopped, SIGSTOP), 0);
  ASSERT_EQ(::kill(leading, SIGTERM), 0);
  EXPECT_NE(wait_for_end(), 0);
  EXPECT_THAT(log(), HasSubstr("stopped after round")) << "the leader ends its round and saves";
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / "stopped" / "checkpoints"));
}

TEST_F(RanksThatStop, RanksWithOtherSettingsDoNotTrainTogether) {
  const std::string rank = " -np 1 '" + command_path() + "' run " + kWithLimits + " --set runtime.name=mpi --set rounds=2 --dir mpi --set ";
  const Outcome outcome =
      run_in_shell("'" + mpiexec_path() + "'" + rank + "runtime.over_sample=0.3 :" + rank + "runtime.over_sample=0.5 2>&1", folder_);
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("rank 1: expected runtime.over_sample 0.3 as on rank 0, found 0.5"));
}
#endif

}  // namespace
}  // namespace paretofl
