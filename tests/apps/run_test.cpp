// The command end to end: one result whatever the threads, runtime, kills and resumes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/apps/run_command.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kCommand = PARETOFL_COMMAND;
const std::string kConfigs = std::string(PARETOFL_SOURCE) + "/experiments/fedcmoo/";
const std::string kQuadratics = kConfigs + "fedcmoo-quadratics.toml";

class RunCommand : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome run(const std::string& arguments) const { return run_in_shell("'" + kCommand + "' run " + arguments + " 2>&1", folder_); }

  nlohmann::json summary(const std::string& directory) const {
    std::ifstream file(folder_ / directory / "summary.json");
    return nlohmann::json::parse(file, nullptr, false);
  }
  std::string hash(const std::string& directory) const { return summary(directory).value("parameters_sha256", "none"); }

  /// metrics.jsonl without what no two runs share.
  std::vector<nlohmann::json> metrics(const std::string& directory) const {
    std::vector<nlohmann::json> rows;
    std::ifstream file(folder_ / directory / "metrics.jsonl");
    for (std::string line; std::getline(file, line);) {
      rows.push_back(nlohmann::json::parse(line));
      rows.back().erase("seconds");
    }
    return rows;
  }

  long rows_in(const std::string& directory) const {
    std::ifstream file(folder_ / directory / "metrics.jsonl");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  }

  /// Starts a run and sends `signal` once it has written `rows` rows; returns its wait status.
  int interrupt(const std::vector<std::string>& arguments, const std::string& directory, long rows, int signal) const {
    const pid_t child = ::fork();
    if (child == 0) {
      std::vector<char*> argv;
      std::vector<std::string> words = {kCommand, "run"};
      words.insert(words.end(), arguments.begin(), arguments.end());
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      const int log = ::open((folder_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
      ::dup2(log, STDERR_FILENO);
      ::dup2(log, STDOUT_FILENO);
      if (::chdir(folder_.c_str()) == 0) ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    int status = 0;
    while (rows_in(directory) < rows) {
      if (::waitpid(child, &status, WNOHANG) == child) return status;
      ::sched_yield();
    }
    ::kill(child, signal);
    ::waitpid(child, &status, 0);
    return status;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("paretofl_run_test_" + std::to_string(::getpid()));
};

TEST_F(RunCommand, OneHashOnAnyThreadsAndProcesses) {
  for (const char* strategy : {"fedcmoo", "fsmgda", "fedavg", "fedprox", "single_objective"}) {
    const std::string config = kConfigs + strategy + "-quadratics.toml --set rounds=20 --overwrite --set runtime.threads=";
    ASSERT_EQ(run(config + "1 --dir one").code, 0);
    ASSERT_EQ(run(config + "2 --dir two").code, 0);
    EXPECT_EQ(hash("two"), hash("one")) << strategy;
    EXPECT_EQ(metrics("two"), metrics("one")) << strategy;
    EXPECT_EQ(hash("one").size(), 64U);
    EXPECT_EQ(metrics("one").size(), 20U);
  }
}

#ifdef PARETOFL_MPIEXEC
TEST_F(RunCommand, OneHashOverMpi) {
  ASSERT_EQ(run(kQuadratics + " --set rounds=20 --dir threads").code, 0);
  for (const char* ranks : {"2", "4"}) {
    const Outcome outcome = run_in_shell(std::string("'") + PARETOFL_MPIEXEC + "' -np " + ranks + " '" + kCommand + "' run " + kQuadratics +
                                             " --set rounds=20 --set runtime.name=mpi --set runtime.threads=1 --overwrite --dir mpi 2>&1",
                                         folder_);
    ASSERT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_EQ(hash("mpi"), hash("threads")) << ranks;
    EXPECT_EQ(metrics("mpi"), metrics("threads")) << ranks;
  }
}
#endif

TEST_F(RunCommand, OneHashOnImages) {
  const std::string config = kConfigs +
                             "fedcmoo-glyphs.toml --set rounds=2 --set workload.train_images=600 --set workload.test_images=100"
                             " --set workload.samples_per_client=30 --set runtime.threads=";
  ASSERT_EQ(run(config + "1 --dir one").code, 0);
  ASSERT_EQ(run(config + "2 --dir two").code, 0);
  EXPECT_EQ(hash("two"), hash("one"));
}

TEST_F(RunCommand, KilledAtAnyMomentItGoesOnBitForBit) {
  const std::string options = " --set rounds=120 --set checkpoint.every=7 --dir ";
  ASSERT_EQ(run(kQuadratics + options + "straight").code, 0);
  for (const long rows : {1, 31, 64}) {
    fs::remove_all(folder_ / "killed");
    const int status =
        interrupt({kQuadratics, "--set", "rounds=120", "--set", "checkpoint.every=7", "--dir", "killed"}, "killed", rows, SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(status)) << "finished before it could be killed";
    ASSERT_FALSE(fs::exists(folder_ / "killed" / "summary.json"));
    const Outcome resumed = run("--resume killed --set runtime.threads=1");
    ASSERT_EQ(resumed.code, 0) << resumed.out;
    EXPECT_EQ(hash("killed"), hash("straight")) << "killed after " << rows;
    EXPECT_EQ(metrics("killed"), metrics("straight")) << "killed after " << rows;
    EXPECT_EQ(summary("killed")["bytes_up"], summary("straight")["bytes_up"]);
  }
}

TEST_F(RunCommand, CtrlCFinishesTheRoundAndCheckpoints) {
  ASSERT_EQ(run(kQuadratics + " --set rounds=200 --dir straight").code, 0);
  const int status =
      interrupt({kQuadratics, "--set", "rounds=200", "--set", "checkpoint.every=1000", "--dir", "stopped"}, "stopped", 5, SIGINT);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(fs::is_empty(folder_ / "stopped" / "checkpoints"));
  EXPECT_FALSE(fs::exists(folder_ / "stopped" / "summary.json"));
  ASSERT_EQ(run("--resume stopped").code, 0);
  EXPECT_EQ(hash("stopped"), hash("straight"));
}

TEST_F(RunCommand, ADamagedNewestCheckpointFallsBackAndSaysSo) {
  ASSERT_EQ(run(kQuadratics + " --set rounds=30 --dir run").code, 0);
  const std::string expected = hash("run");
  fs::path newest;
  for (const auto& entry : fs::directory_iterator(folder_ / "run" / "checkpoints")) newest = std::max(newest, entry.path());
  std::fstream(newest, std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('!');
  const Outcome outcome = run("--resume run");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr(newest.filename().string()));
  EXPECT_THAT(outcome.out, HasSubstr("going on after round 20"));
  EXPECT_EQ(hash("run"), expected);
}

TEST_F(RunCommand, AFinishedRunCanBeMadeLonger) {
  ASSERT_EQ(run(kQuadratics + " --set rounds=30 --dir straight").code, 0);
  ASSERT_EQ(run(kQuadratics + " --set rounds=20 --dir run").code, 0);
  ASSERT_EQ(run("--resume run --set rounds=30").code, 0);
  EXPECT_EQ(hash("run"), hash("straight"));
  EXPECT_EQ(metrics("run").back()["test"], metrics("straight").back()["test"]);
}

TEST_F(RunCommand, SummaryHoldsTheContract) {
  ASSERT_EQ(run(kQuadratics + " --set rounds=3 --set seed=9 --dir run").code, 0);
  const nlohmann::json json = summary("run");
  for (const char* key : {"strategy", "workload", "seed", "rounds", "parameters_sha256", "test", "wall_seconds", "cpu_seconds",
                          "peak_rss_bytes", "bytes_up", "bytes_down"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["seed"], 9);
  EXPECT_EQ(json["rounds"], 3);
  std::uint64_t bytes_up = 0;
  for (const auto& row : metrics("run")) bytes_up += row["bytes_up"].get<std::uint64_t>();
  EXPECT_EQ(json["bytes_up"], bytes_up);
}

TEST_F(RunCommand, RoundsThatTooFewAnswerEndTheRunWithOneLine) {
  const Outcome outcome = run(kQuadratics + " --set runtime.dropout_rate=0.99 --dir run");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("3 abandoned in a row"));
  EXPECT_EQ(metrics("run").back()["failures"].size(), 10U);
}

TEST_F(RunCommand, BadInputIsOneClearLine) {
  ASSERT_EQ(run(kQuadratics + " --set rounds=3 --dir run").code, 0);
  const auto expect_line = [&](const std::string& arguments, const std::string& text) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr(text)) << arguments;
    EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: ")) << arguments;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  };
  expect_line("absent.toml", "expected a readable TOML file");
  expect_line("", "expected either CONFIG or --resume DIR, found neither");
  expect_line(kQuadratics + " --resume run", "found both");
  expect_line(kQuadratics + " --dir run", "use --resume or --overwrite");
  expect_line(kQuadratics + " --dir x --set strategy.nme=x", "did you mean strategy.name");
  expect_line(kQuadratics + " --dir x --set strategy.cohort_size=21", "expected 1 to 20 clients, found 21");
  expect_line(kQuadratics + " --dir x --set strategy.name=fedsgd", "expected one of fedavg");
  expect_line("--resume absent", "found no config.toml");
  expect_line("--resume run --set strategy.client_lr=1", "expected --set of rounds, runtime, checkpoint or data.root only");
  expect_line("--resume run --set rounds=1", "expected rounds of at least 3");
  expect_line(kConfigs + "fedcmoo-mnist_fmnist.toml --dir x --set data.root=nowhere", "nowhere");
  expect_line(kQuadratics + " --dir /proc/no/such", "/proc/no/such");
  for (const auto& entry : fs::directory_iterator(folder_ / "run" / "checkpoints")) fs::resize_file(entry.path(), 10);
  expect_line("--resume run", "checkpoint");
}

}  // namespace
}  // namespace paretofl
