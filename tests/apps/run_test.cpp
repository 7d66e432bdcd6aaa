// The command end to end: one result whatever the threads, runtime, kills and resumes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "paretofl/core/random.h"
#include "paretofl/runs/checkpoint_store.h"
#include "paretofl/runs/folder_lock.h"
#include "tests/apps/child_process.h"
#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kCommand = command_path();
const std::string kConfigs = source_path() + "/experiments/fedcmoo/";
const std::string kRunQuadratics = kConfigs + "fedcmoo-quadratics.toml";
const std::string kGlyphs = kConfigs +
                            "fedcmoo-glyphs.toml --set rounds=2 --set workload.train_images=600 --set workload.test_images=100"
                            " --set workload.samples_per_client=30";
constexpr std::array kStrategies = {"fedcmoo", "fsmgda", "fedavg", "fedprox", "single_objective"};

class RunCommand : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    heed_signals();
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

  /// Starts a run of many rounds in `stopped` and sends `signal` once it has written `rows` rows, and `later`, where
  /// it is not 0, a few rows behind that; returns its wait status.
  int interrupt(std::vector<std::string> arguments, long rows, int signal, int later = 0) const {
    fs::remove_all(folder_ / "stopped");
    arguments.insert(arguments.end(), {"--set", "rounds=1000000", "--dir", "stopped"});
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
    const auto written = [&] { return rows_in("stopped") >= rows; };
    if (!reached_before_the_end_of(child, status, written)) return status;
    ::kill(child, signal);
    if (later != 0) {
      rows = rows_in("stopped") + 3;
      if (!reached_before_the_end_of(child, status, written)) return status;
      ::kill(child, later);
    }
    ::waitpid(child, &status, 0);
    return status;
  }

  /// Resumes `stopped` for `more` rounds and compares with a run that nothing stopped.
  void expect_same_as_straight(const std::string& config, long more = 20) const {
    ASSERT_FALSE(fs::exists(folder_ / "stopped" / "summary.json"));
    const std::string rounds = " --set rounds=" + std::to_string(rows_in("stopped") + more);
    const Outcome resumed = run("--resume stopped --set runtime.threads=1" + rounds);
    ASSERT_EQ(resumed.code, 0) << resumed.out;
    ASSERT_EQ(run(config + " --overwrite --dir straight" + rounds).code, 0);
    EXPECT_EQ(hash("stopped"), hash("straight")) << config << rounds;
    EXPECT_EQ(metrics("stopped"), metrics("straight")) << config << rounds;
    EXPECT_EQ(summary("stopped")["bytes_up"], summary("straight")["bytes_up"]);
  }

  /// A config file of its own, since an override can't travel in one word.
  std::string small_glyphs_config() const {
    const fs::path file = folder_ / "glyphs.toml";
    std::ofstream(file) << "[strategy]\nname = \"fedcmoo\"\ncohort_size = 4\nlocal_steps = 2\n[workload]\nname = \"glyphs\"\nclients = 8\n"
                           "train_images = 480\ntest_images = 100\nsamples_per_client = 60\n";
    return file.string();
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("paretofl_run_test_" + std::to_string(::getpid()));
};

TEST_F(RunCommand, OneHashOnAnyThreadsAndProcesses) {
  for (const char* strategy : kStrategies) {
    const std::string config = kConfigs + strategy + "-quadratics.toml --set rounds=20 --overwrite --set runtime.threads=";
    ASSERT_EQ(run(config + "1 --dir one").code, 0);
    ASSERT_EQ(run(config + "2 --dir two").code, 0);
    EXPECT_EQ(hash("two"), hash("one")) << strategy;
    EXPECT_EQ(metrics("two"), metrics("one")) << strategy;
    EXPECT_EQ(hash("one").size(), 64U);
    EXPECT_EQ(metrics("one").size(), 20U);
  }
}

#ifdef PARETOFL_TESTS_MPI
TEST_F(RunCommand, OneHashOverMpi) {
  const auto check = [&](const std::string& config) {
    ASSERT_EQ(run(config + " --overwrite --dir threads").code, 0);
    for (const char* ranks : {"2", "4"}) {
      const Outcome outcome = run_in_shell("'" + mpiexec_path() + "' -np " + ranks + " '" + kCommand + "' run " + config +
                                               " --set runtime.name=mpi --set runtime.threads=1 --overwrite --dir mpi 2>&1",
                                           folder_);
      ASSERT_EQ(outcome.code, 0) << outcome.out;
      EXPECT_EQ(hash("mpi"), hash("threads")) << config << " on " << ranks;
      EXPECT_EQ(metrics("mpi"), metrics("threads")) << config << " on " << ranks;
    }
  };
  for (const char* strategy : kStrategies) check(kConfigs + strategy + "-quadratics.toml --set rounds=20");
  check(kGlyphs);
}
#endif

TEST_F(RunCommand, OneHashOnImages) {
  ASSERT_EQ(run(kGlyphs + " --set runtime.threads=1 --dir one").code, 0);
  ASSERT_EQ(run(kGlyphs + " --set runtime.threads=2 --dir two").code, 0);
  EXPECT_EQ(hash("two"), hash("one"));
}

TEST_F(RunCommand, KilledAtAnyMomentItGoesOnBitForBit) {
  Random random({std::random_device{}()}, "moments");  // any moments will do
  std::vector<std::string> configs = {small_glyphs_config()};
  for (const char* strategy : kStrategies) configs.push_back(kConfigs + strategy + "-quadratics.toml");
  for (const std::string& config : configs) {
    const bool images = config == configs[0];  // whose rounds take long
    for (int kill = 0; kill < 3; ++kill) {
      const long rows = 1 + static_cast<long>(random.below(images ? 10 : 100));
      const int status = interrupt({config, "--set", "checkpoint.every=7"}, rows, SIGKILL);
      ASSERT_TRUE(WIFSIGNALED(status)) << config;
      expect_same_as_straight(config, images ? 3 : 20);
    }
  }
}

TEST_F(RunCommand, CtrlCFinishesTheRoundAndCheckpoints) {
  const int status = interrupt({kRunQuadratics, "--set", "checkpoint.every=1000000"}, 5, SIGINT);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(fs::is_empty(folder_ / "stopped" / "checkpoints"));
  const long rows = rows_in("stopped");
  expect_same_as_straight(kRunQuadratics);
  EXPECT_GT(rows, 0) << "no round is lost";
}

TEST_F(RunCommand, SoDoesATerminalThatHangsUp) {
  const int status = interrupt({kRunQuadratics, "--set", "checkpoint.every=1000000"}, 5, SIGHUP);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 129);
  expect_same_as_straight(kRunQuadratics);
}

TEST_F(RunCommand, HangingUpIsIgnoredWhereItWasBefore) {
  std::signal(SIGHUP, SIG_IGN);  // as nohup does
  const int status = interrupt({kRunQuadratics, "--set", "checkpoint.every=1000000"}, 5, SIGHUP, SIGTERM);
  std::signal(SIGHUP, SIG_DFL);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 143);
}

TEST_F(RunCommand, TheSummarySaysWhatSeedsAndUnitsMean) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=2 --dir run").code, 0);
  EXPECT_EQ(summary("run")["seed_changes_problem"], true);
  EXPECT_EQ(summary("run")["unlike_units"], nlohmann::json::array());
  const std::string mdp = source_path() + "/experiments/firm/firm-tabular_mdp.toml";
  ASSERT_EQ(run(mdp + " --set rounds=2 --dir mdp").code, 0);
  EXPECT_EQ(summary("mdp")["unlike_units"], nlohmann::json::array({"return"}));
}

TEST_F(RunCommand, ADamagedNewestCheckpointFallsBackAndSaysSo) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=30 --dir run").code, 0);
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
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=30 --dir straight").code, 0);
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=20 --dir run").code, 0);
  EXPECT_THAT(run("--resume run").out, HasSubstr("all 20 rounds are done; a larger `rounds` makes the run longer"));
  ASSERT_EQ(run("--resume run --set rounds=30").code, 0);
  EXPECT_EQ(hash("run"), hash("straight"));
  EXPECT_EQ(metrics("run"), metrics("straight"));
}

TEST_F(RunCommand, TheEvaluationOfALastRoundLeavesNoTraceInALongerRun) {
  const std::string config = small_glyphs_config() + " --set workload.validation_fraction=0.2 --set workload.samples_per_client=48" +
                             " --set evaluation.every=2 --set evaluation.choose_by=accuracy/left";
  ASSERT_EQ(run(config + " --set rounds=4 --dir straight").code, 0);
  ASSERT_EQ(run(config + " --set rounds=3 --dir run").code, 0);
  EXPECT_TRUE(metrics("run").back().contains("test"));
  ASSERT_EQ(run("--resume run --set rounds=4").code, 0);
  EXPECT_EQ(metrics("run"), metrics("straight"));
  EXPECT_FALSE(metrics("run")[2].contains("test"));
  EXPECT_EQ(summary("run")["chosen"], summary("straight")["chosen"]);
}

TEST_F(RunCommand, AResumedRunThatIsAtItsEndIsEvaluatedThere) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=15 --dir straight").code, 0);
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=30 --set checkpoint.every=15 --dir run").code, 0);
  fs::remove(folder_ / "run" / "checkpoints" / "checkpoint-000030.bin");
  const Outcome outcome = run("--resume run --set rounds=15");
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(metrics("run"), metrics("straight"));
  EXPECT_FALSE(summary("run")["test"].is_null());
  EXPECT_EQ(summary("run")["test"], summary("straight")["test"]);
}

TEST_F(RunCommand, AFinishedRunWithoutCheckpointsIsNotBegunAgain) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=3 --dir run").code, 0);
  const auto before = metrics("run");
  fs::remove_all(folder_ / "run" / "checkpoints");
  const Outcome outcome = run("--resume run");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("expected a checkpoint of the finished run"));
  EXPECT_EQ(metrics("run"), before);
  EXPECT_EQ(summary("run")["rounds"], 3);
}

TEST_F(RunCommand, WorksAloneInItsFolder) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=3 --dir run").code, 0);
  const FolderLock other(folder_ / "run", "run");
  for (const std::string& arguments : {std::string("--resume run --set rounds=5"), kRunQuadratics + " --overwrite --dir run"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr("expected no other run at work in run, found one"));
    EXPECT_EQ(summary("run")["rounds"], 3);
  }
}

TEST_F(RunCommand, GoesOnUnderItsOwnSettingsAlone) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=3 --dir run").code, 0);
  std::stringstream text;
  text << std::ifstream(folder_ / "run" / "config.toml").rdbuf();
  std::string config = text.str();
  const std::string before = "client_lr = 0.05";
  ASSERT_NE(config.find(before), std::string::npos);
  config.replace(config.find(before), before.size(), "client_lr = 0.01");
  std::ofstream(folder_ / "run" / "config.toml") << config;
  const Outcome outcome = run("--resume run --set rounds=5");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("--resume: expected strategy.client_lr 0.05 as in the checkpoint, found 0.01 in config.toml"));
  EXPECT_EQ(summary("run")["rounds"], 3);
}

TEST_F(RunCommand, RefusesACheckpointWhoseTotalsNoneCanHaveCounted) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=3 --dir run").code, 0);
  CheckpointStore store(folder_ / "run" / "checkpoints");
  for (const double wrong : {std::nan(""), -1.0}) {
    Record state = store.load_newest()->state;
    state.records.at("totals").scalars.at("bytes_up") = wrong;
    store.save(3, state);
    const Outcome outcome = run("--resume run --set rounds=5");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("checkpoint: expected totals of at least 0, found"));
  }
}

TEST_F(RunCommand, SummaryHoldsTheContract) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=3 --set seed=9 --dir run").code, 0);
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
  const Outcome outcome = run(kRunQuadratics + " --set runtime.dropout_rate=0.99 --dir run");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("3 abandoned in a row"));
  EXPECT_EQ(metrics("run").back()["failures"].size(), 10U);
}

TEST_F(RunCommand, ARunThatEndedForWantOfAnswersDoesNotGoOnBeyondThem) {
  const std::string line = "3 abandoned in a row";
  EXPECT_THAT(run(kRunQuadratics + " --set runtime.dropout_rate=0.99 --set checkpoint.every=1 --set rounds=3 --dir run").out,
              HasSubstr(line));
  const Outcome outcome = run("--resume run");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr(line));
  EXPECT_EQ(summary("run")["status"], "failed");
  EXPECT_THAT(summary("run")["failure"], HasSubstr(line));
}

TEST_F(RunCommand, ARunOfAbandonedRoundsAloneHasFailed) {
  const std::string arguments = kRunQuadratics + " --set runtime.dropout_rate=0.99 --set rounds=2 --dir run";
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("found all 2 abandoned"));
  EXPECT_EQ(summary("run")["status"], "failed");
  EXPECT_EQ(summary("run")["rounds_abandoned"], 2);
  EXPECT_GT(summary("run")["failures"], 0);
}

TEST_F(RunCommand, BadInputIsOneClearLine) {
  ASSERT_EQ(run(kRunQuadratics + " --set rounds=3 --dir run").code, 0);
  const auto expect_line = [&](const std::string& arguments, const std::string& text) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr(text)) << arguments;
    EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: ")) << arguments;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  };
  expect_line("absent.toml", "absent.toml: expected a file, found none");
  expect_line("", "expected either CONFIG or --resume DIR, found neither");
  expect_line(kRunQuadratics + " --resume run", "found both");
  expect_line(kRunQuadratics + " --dir run", "use --resume or --overwrite");
  expect_line(kRunQuadratics + " --dir x --set strategy.nme=x", "did you mean strategy.name");
  expect_line(kRunQuadratics + " --dir x --set strategy.cohort_size=21", "expected 1 to 20 clients, found 21");
  expect_line(kRunQuadratics + " --dir x --set strategy.name=fedsgd", "expected one of fedavg");
  expect_line("--resume absent", "found no config.toml");
  expect_line("--resume run --set strategy.client_lr=1", "expected --set of rounds, runtime.name, runtime.threads, ");
  expect_line("--resume run --set runtime.dropout_rate=0.1", "data.root or checkpoint.*, found 'runtime.dropout_rate=0.1'");
  expect_line(kRunQuadratics + " --dir ''", "expected the name of a folder after --dir, found nothing");
  expect_line(kRunQuadratics + " --dir x --set privacy.threshold=0.9", "privacy.secure_aggregation: expected true with privacy.threshold");
  expect_line("--resume run --set rounds=1", "expected rounds of at least 3");
  expect_line(kConfigs + "fedcmoo-mnist_fmnist.toml --dir x --set data.root=nowhere", "nowhere");
  expect_line(kRunQuadratics + " --dir /proc/no/such", "/proc/no/such");
  for (const auto& entry : fs::directory_iterator(folder_ / "run" / "checkpoints")) fs::resize_file(entry.path(), 10);
  expect_line("--resume run", "checkpoint");
}

}  // namespace
}  // namespace paretofl
