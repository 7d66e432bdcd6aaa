// The command end to end: a grid of runs that survives kills, with one table whatever the jobs.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "paretofl/core/random.h"
#include "tests/apps/child_process.h"
#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kCommand = command_path();
const std::string kConfigs = source_path() + "/experiments/fedcmoo/";
const std::string kQuadratics = kConfigs + "fedcmoo-quadratics.toml --set rounds=12";

class SweepCommand : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    heed_signals();
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome sweep(const std::string& arguments, const std::string& streams = "2>&1") const {
    return run_in_shell("'" + kCommand + "' sweep " + arguments + " " + streams, folder_);
  }

  nlohmann::json json(const std::string& file) const {
    std::ifstream stream(folder_ / file);
    return nlohmann::json::parse(stream, nullptr, false);
  }

  std::vector<std::string> lines(const std::string& file) const {
    std::ifstream stream(folder_ / file);
    std::vector<std::string> found;
    for (std::string line; std::getline(stream, line);) found.push_back(line);
    return found;
  }

  /// The rows of sweep.json without what no two runs share.
  std::vector<nlohmann::json> runs(const std::string& directory) const {
    std::vector<nlohmann::json> found;
    const nlohmann::json data = json(directory + "/sweep.json");
    for (nlohmann::json run : data.at("runs")) {
      run.erase("wall_seconds");
      run.erase("cpu_seconds");
      found.push_back(run);
    }
    return found;
  }

  /// Rows written so far by all runs of `directory`.
  std::size_t rounds_in(const std::string& directory) const {
    std::size_t rounds = 0;
    std::error_code error;
    for (fs::directory_iterator entry(folder_ / directory, error), end; !error && entry != end; entry.increment(error)) {
      std::ifstream file(entry->path() / "metrics.jsonl");
      rounds += static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
    }
    return rounds;
  }

  /// Starts a sweep into `directory` and sends `signal` once its runs have written `rounds` rows; returns its
  /// wait status.
  int interrupt(const std::string& arguments, const std::string& directory, std::size_t rounds, int signal) const {
    const pid_t child = ::fork();
    if (child == 0) {
      const std::string line =
          "cd '" + folder_.string() + "' && exec '" + kCommand + "' sweep " + arguments + " --dir " + directory + " >>log 2>&1";
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    int status = 0;
    if (!reached_before_the_end_of(child, status, [&] { return rounds_in(directory) >= rounds; })) return status;
    ::kill(child, signal);
    ::waitpid(child, &status, 0);
    return status;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("paretofl_sweep_test_" + std::to_string(::getpid()));
};

TEST_F(SweepCommand, RunsTheGridAndTabulatesIt) {
  const Outcome outcome = sweep(kQuadratics + " --over strategy.client_lr=0.02,0.05 --seeds 1..2 --dir s", "2>/dev/null");
  ASSERT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("Pareto fronts over all runs on quadratics by test loss"));
  EXPECT_THAT(outcome.out, HasSubstr("One front for each of the 2 seeds"));
  EXPECT_THAT(outcome.out, HasSubstr("±"));
  const auto table = lines("s/sweep.csv");
  ASSERT_EQ(table.size(), 5U);
  EXPECT_EQ(
      table[0],
      "run,strategy.client_lr,seed,strategy,workload,state,rounds,on_front,test/loss/objective0,test/loss/objective1,test/loss/objective2,"
      "bytes_up,bytes_down,wall_seconds,cpu_seconds,parameters_sha256");
  EXPECT_THAT(table[2], testing::StartsWith("client_lr=0.02_seed=2,0.02,2,fedcmoo,quadratics,done,12,"));

  const auto data = json("s/sweep.json");
  const auto summary = json("s/client_lr=0.05_seed=1/summary.json");
  EXPECT_EQ(data["runs"][2]["parameters_sha256"], summary["parameters_sha256"]);
  EXPECT_EQ(data["runs"][2]["test"], summary["test"]);
  EXPECT_EQ(data["runs"][2]["values"], (nlohmann::json{{"strategy.client_lr", 0.05}, {"seed", 1}}));
  const auto& groups = data["workloads"][0]["groups"];
  ASSERT_EQ(groups.size(), 2U);
  const double first = data["runs"][0]["test"]["loss"]["objective0"], second = data["runs"][1]["test"]["loss"]["objective0"];
  EXPECT_NEAR(groups[0]["final"]["loss"]["objectives"][0][0], (first + second) / 2, 1e-5);
  EXPECT_NEAR(groups[0]["final"]["loss"]["objectives"][0][1], std::abs(first - second) / std::sqrt(2.0), 1e-5);
  EXPECT_GT(data["workloads"][0]["fronts"]["loss"]["cardinality"], 0);
}

TEST_F(SweepCommand, OneTableWhateverTheJobs) {
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1..3 --jobs 1 --dir one").code, 0);
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1..3 --jobs 3 --dir three").code, 0);
  EXPECT_EQ(runs("one"), runs("three"));
  EXPECT_EQ(json("one/sweep.json")["workloads"][0]["fronts"], json("three/sweep.json")["workloads"][0]["fronts"]);
}

TEST_F(SweepCommand, ARunIsTheOneThatRunMakes) {
  ASSERT_EQ(sweep(kQuadratics + " --seeds 5 --dir s").code, 0);
  ASSERT_EQ(run_in_shell("'" + kCommand + "' run " + kQuadratics + " --set seed=5 --dir r", folder_).code, 0);
  EXPECT_EQ(runs("s")[0]["parameters_sha256"], json("r/summary.json")["parameters_sha256"]);
}

TEST_F(SweepCommand, SweepsPreferencesAndConfigs) {
  const std::string configs = kConfigs + "fedavg-quadratics.toml --set rounds=5 --set workload.objectives=2";
  ASSERT_EQ(sweep(configs + " --over 'strategy.objective_weights=[1,2],[2,1]' --dir list").code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "list/objective_weights=1,2/summary.json"));
  EXPECT_EQ(json("list/sweep.json")["runs"][1]["values"]["strategy.objective_weights"], (std::vector<double>{2, 1}));
  EXPECT_THAT(lines("list/sweep.csv")[1], testing::StartsWith("\"objective_weights=1,2\",\"[1,2]\",1,fedavg"));
  ASSERT_EQ(sweep(configs + " --preferences 3 --dir number").code, 0);
  EXPECT_EQ(runs("number").size(), 3U);
  ASSERT_EQ(sweep(kQuadratics + " " + kConfigs + "fsmgda-quadratics.toml --dir configs").code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "configs/fsmgda-quadratics/summary.json"));
  EXPECT_EQ(json("configs/sweep.json")["runs"][1]["strategy"], "fsmgda");
}

TEST_F(SweepCommand, KilledAtAnyMomentItGoesOnBitForBit) {
  const std::string grid = kConfigs + "fedcmoo-quadratics.toml --set rounds=30 --set checkpoint.every=7 --seeds 1..3 --jobs 2";
  ASSERT_EQ(sweep(grid + " --dir straight").code, 0);
  Random random({std::random_device{}()}, "moments");  // any moments will do
  for (int attempt = 0; attempt < 3; ++attempt) {
    fs::remove_all(folder_ / "s");
    const int status = interrupt(grid, "s", random.below(80), SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(status));
    const std::size_t rounds = rounds_in("s");
    const bool again = fs::exists(folder_ / "s/sweep.toml");
    const Outcome outcome = sweep(again ? "--resume --dir s" : grid + " --dir s");
    ASSERT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_EQ(runs("s"), runs("straight")) << "killed after " << rounds << " rounds";
  }
}

TEST_F(SweepCommand, FinishedRunsAreLeftAlone) {
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1..2 --dir s").code, 0);
  fs::remove_all(folder_ / "s/seed=2");
  const auto before = fs::last_write_time(folder_ / "s/seed=1/summary.json");
  const Outcome outcome = sweep(kQuadratics + " --seeds 1..2 --dir s --resume");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("2 runs, 1 of them done"));
  EXPECT_EQ(fs::last_write_time(folder_ / "s/seed=1/summary.json"), before);
  EXPECT_TRUE(fs::exists(folder_ / "s/seed=2/summary.json"));
}

TEST_F(SweepCommand, ARunOfOtherSettingsIsNotTakenForItsOwn) {
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1..2 --dir s").code, 0);
  const auto run = [&](const std::string& arguments) {
    return run_in_shell("'" + kCommand + "' run " + arguments + " 2>&1", folder_).code;
  };
  ASSERT_EQ(run(kQuadratics + " --set seed=2 --set strategy.client_lr=0.001 --dir s/seed=2 --overwrite"), 0);
  Outcome outcome = sweep("--resume s");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("s/seed=2: expected the run that sweep.toml plans there, with strategy.client_lr 0.05, found one with 0.001"));
  fs::remove_all(folder_ / "s/seed=2");
  ASSERT_EQ(run("--resume s/seed=1 --set rounds=13"), 0);
  EXPECT_THAT(sweep("--resume s").out, HasSubstr("with rounds 12, found one with 13"));
  ASSERT_EQ(run(kQuadratics + " --set rounds=3 --dir s/seed=3"), 0);
  fs::remove_all(folder_ / "s/seed=1");
  EXPECT_THAT(sweep("--resume s --seeds 3").out, HasSubstr("s/seed=3: expected the run that"));
  fs::rename(folder_ / "s/seed=3", folder_ / "mine");
  EXPECT_EQ(sweep("--resume s").code, 0) << "what it refused is not in its plan";
  const fs::path config = folder_ / "s/seed=2/config.toml";
  std::string text;
  for (const std::string& line : lines("s/seed=2/config.toml")) {
    if (!line.starts_with("client_weighting")) text += line + "\n";
  }
  std::ofstream(config) << text;
  EXPECT_EQ(sweep("--resume s").code, 0) << "a run of a version without that option";
  EXPECT_EQ(runs("s").size(), 2U);
}

TEST_F(SweepCommand, GrowsBySeeds) {
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1..2 --dir s").code, 0);
  const auto before = fs::last_write_time(folder_ / "s/seed=1/summary.json");
  const Outcome outcome = sweep("--resume s --seeds 2,4");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("3 runs, 2 of them done"));
  EXPECT_EQ(fs::last_write_time(folder_ / "s/seed=1/summary.json"), before) << "what was there stays";
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1,2,4 --dir at_once").code, 0);
  EXPECT_EQ(runs("s"), runs("at_once"));
  EXPECT_EQ(sweep("--resume --dir s").code, 0) << "and it is that sweep from then on";
  EXPECT_EQ(runs("s").size(), 3U);
  const Outcome with_config = sweep(kQuadratics + " --seeds 1,2,4,5 --dir s --resume");
  EXPECT_THAT(with_config.out, HasSubstr("4 runs, 3 of them done"));
}

TEST_F(SweepCommand, GrowsByPreferences) {
  const std::string two = kConfigs + "fedavg-quadratics.toml --set rounds=5 --set workload.objectives=2";
  ASSERT_EQ(sweep(two + " --preferences '[1,2],[2,1]' --dir s").code, 0);
  const Outcome outcome = sweep("--resume s --preferences '[1,2],[3,1]' --seeds 1,2");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("6 runs, 2 of them done"));
  EXPECT_TRUE(fs::exists(folder_ / "s/objective_weights=3,1/summary.json"));
  EXPECT_EQ(json("s/objective_weights=3,1_seed=2/summary.json")["seed"], 2);
  EXPECT_EQ(runs("s").size(), 6U);
}

TEST_F(SweepCommand, AFreshRunGoesOnFromNothing) {
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1 --dir s").code, 0);
  for (const std::string& line : lines("s/seed=1/log.txt")) EXPECT_THAT(line, testing::Not(HasSubstr("going on")));
}

TEST_F(SweepCommand, WritesTheFrontAloneAndMarksItInTheTable) {
  const std::string two = kConfigs + "fedavg-quadratics.toml --set rounds=5 --set workload.objectives=2";
  const Outcome outcome = sweep(two + " --preferences 3 --seeds 1,2 --reference 100,200 --dir s --front-csv front.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("against (100, 200)"));
  const auto front = lines("front.csv");
  EXPECT_EQ(front.at(0), "strategy,preference,seed,workload,metric,objective0,objective1,run");
  const auto table = lines("s/sweep.csv");
  const auto marked =
      std::count_if(table.begin(), table.end(), [](const std::string& row) { return row.find(",true,") != std::string::npos; });
  EXPECT_GT(marked, 1);
  EXPECT_EQ(static_cast<std::size_t>(marked), front.size() - 1);
  const auto fronts = json("s/sweep.json")["workloads"][0]["fronts"]["loss"];
  EXPECT_EQ(fronts["reference"], (std::vector<double>{100, 200}));
  ASSERT_EQ(fronts["by_seed"].size(), 2U);
  EXPECT_DOUBLE_EQ(fronts["hypervolume"],
                   (fronts["by_seed"][0]["hypervolume"].get<double>() + fronts["by_seed"][1]["hypervolume"].get<double>()) / 2);
}

TEST_F(SweepCommand, APageThatAFinishedRunWasKilledAtIsWritten) {
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1..2 --dir s").code, 0);
  const auto written = fs::file_size(folder_ / "s/seed=1/report.html");
  fs::remove(folder_ / "s/seed=1/report.html");
  for (const char* run : {"s/seed=1", "s/seed=2"}) std::ofstream(folder_ / run / "report.html.tmp") << "<!doctype";
  ASSERT_EQ(sweep("--resume --dir s").code, 0);
  EXPECT_EQ(fs::file_size(folder_ / "s/seed=1/report.html"), written);
  for (const char* run : {"s/seed=1", "s/seed=2"}) EXPECT_FALSE(fs::exists(folder_ / run / "report.html.tmp")) << run;
}

TEST_F(SweepCommand, CtrlCCheckpointsTheRunsAndTheRestGoesOn) {
  const std::string grid = kConfigs + "fedcmoo-quadratics.toml --set rounds=3000 --set checkpoint.every=1000000 --seeds 1..3 --jobs 2";
  const int status = interrupt(grid, "s", 4, SIGINT);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(fs::exists(folder_ / "s/seed=3")) << "no other run starts";
  const std::size_t rounds = rounds_in("s");
  EXPECT_THAT(lines("log").back(), HasSubstr("paretofl sweep --resume --dir s"));
  EXPECT_EQ(interrupt("--resume", "s", rounds + 1, SIGINT) & 0x7f, 0);
  EXPECT_GT(rounds_in("s"), rounds) << "the rounds of before count";
}

TEST_F(SweepCommand, AFailedRunStopsNoOtherAndIsNamed) {
  const Outcome outcome = sweep(kQuadratics + " --over strategy.cohort_size=5,21,6 --dir s");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("paretofl: cohort_size=21 failed: strategy.cohort_size: expected 1 to 20 clients, found 21"));
  EXPECT_EQ(runs("s").size(), 2U);
  EXPECT_THAT(json("s/sweep.json")["failed"], ElementsAre("cohort_size=21"));
  EXPECT_THAT(lines("s/sweep.csv")[2], testing::StartsWith("cohort_size=21,21,1,fedcmoo,quadratics,failed,,"));
}

TEST_F(SweepCommand, ARunWhoseRoundsAllFailedIsCountedAsFailed) {
  const Outcome outcome = sweep(kQuadratics + " --set rounds=2 --over runtime.dropout_rate=0,0.99 --dir s");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(runs("s").size(), 1U);
  EXPECT_THAT(json("s/sweep.json")["failed"], ElementsAre("dropout_rate=0.99"));
  EXPECT_TRUE(json("s/sweep.json")["missing"].empty());
  EXPECT_THAT(lines("s/sweep.csv")[2], testing::StartsWith("dropout_rate=0.99,0.99,1,fedcmoo,quadratics,failed,,"));
}

TEST_F(SweepCommand, RunsAreNotCalledAfterTheSweepsOwnFiles) {
  for (const char* name : {"sweep.csv", "sweep.toml", "..", ".hidden"}) {
    std::ofstream(folder_ / (std::string(name) + ".toml")) << "[strategy]\nname = \"fedavg\"\n[workload]\nname = \"quadratics\"\n";
    const Outcome outcome = sweep(std::string(name) + ".toml --dir s");
    EXPECT_EQ(outcome.code, 1) << name;
    EXPECT_THAT(outcome.out, HasSubstr("sweep: expected a CONFIG whose name begins with no dot and is none of")) << name;
  }
}

TEST_F(SweepCommand, AnotherGridThanTheOneToResumeIsAnErrorThatSaysWhatDiffers) {
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1..2 --dir s").code, 0);
  const auto expect_line = [&](const std::string& arguments, const std::string& text) {
    const Outcome outcome = sweep(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr(text)) << arguments;
    EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: ")) << arguments;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  };
  expect_line(kQuadratics + " --seeds 1,3 --dir s --resume", "seed=2 before, not now");
  expect_line(kQuadratics + " --over strategy.client_lr=0.1,0.2 --seeds 1..2 --dir s --resume",
              "over seed before, over strategy.client_lr, seed now");
  expect_line(kQuadratics + " --seeds 1..2 --set strategy.client_lr=0.01 --dir s --resume", "strategy.client_lr 0.05 before, 0.01 now");
  expect_line(kQuadratics + " --seeds 1..2 --dir s", "use --resume");
  expect_line("--set rounds=13 --dir s --resume", "expected CONFIG with --set or --over");
  expect_line(kQuadratics, "expected --dir DIR, found none");
  expect_line("--resume", "expected --dir DIR, found none");
  expect_line(kQuadratics + " --dir nowhere --resume", "found no sweep.toml");
  expect_line("--dir t", "expected CONFIG");
  expect_line("absent.toml --dir t", "absent.toml: expected a file, found none");
  expect_line(kQuadratics + " --over lr --dir t", "--over: expected key=v1,v2");
  expect_line(kQuadratics + " --over strategy.client_rl=1 --dir t", "did you mean strategy.client_lr");
  expect_line(kQuadratics + " --set runtime.name=mpi --dir t", "expected the runtime threads");
  expect_line(kConfigs + "fsmgda-quadratics.toml --preferences 3 --dir t", "fsmgda, which has neither");
  expect_line(kQuadratics + " --dir /proc/no/such", "/proc/no/such");
  expect_line(kQuadratics + " --seeds '' --dir t", "--seeds: expected values");
  expect_line(kQuadratics + " --preferences '' --dir t", "--preferences");
  expect_line(kQuadratics + " --preferences 3 --dir t",
              "--preferences: expected a strategy.solver that uses a preference, found projected_gradient in the strategy "
              "fedcmoo, which uses none");
  expect_line(kConfigs + "fedcmoo_pref-quadratics.toml " + kConfigs + "fedavg-quadratics.toml --preferences 3 --dir t",
              "found strategy.preference and strategy.objective_weights of ");
  EXPECT_FALSE(fs::exists(folder_ / "t"));
  expect_line(kQuadratics + " --jobs 0 --dir t", "--jobs: expected 1 to 4096, found 0");
  expect_line(kQuadratics + " --over strategy.client_lr=0.05,0.050 --dir t", "found the same in client_lr=0.05 and client_lr=0.050");
  std::ofstream(folder_ / "c\xe9.toml") << "[strategy]\nname = \"fedavg\"\n[workload]\nname = \"quadratics\"\n";
  expect_line("c\xe9.toml --dir t", "expected a CONFIG whose name is UTF-8");
  fs::remove(folder_ / "c\xe9.toml");
  EXPECT_FALSE(fs::exists(folder_ / "t")) << "bad input leaves nothing behind";
  std::ofstream(folder_ / "thesis.tex") << "precious";
  expect_line(kQuadratics + " --dir .", "found thesis.tex in it");
}

TEST_F(SweepCommand, RunsThatDivergeOrFailLeaveTheOthersTheirTable) {
  const std::string fedavg = kConfigs + "fedavg-quadratics.toml --set rounds=10 --set workload.objectives=6";
  const Outcome diverged = sweep(fedavg + " --set 'strategy.objective_weights=[]' --over strategy.client_lr=0.1,5 --dir diverged");
  EXPECT_EQ(diverged.code, 0) << diverged.out;
  EXPECT_EQ(lines("diverged/sweep.csv").size(), 3U);
  const auto front = json("diverged/sweep.json").at("workloads").at(0).at("fronts").at("loss");
  EXPECT_TRUE(front.at("hypervolume").is_null()) << "the worst point is beyond what volumes can be";
  EXPECT_EQ(front.at("runs"), nlohmann::json::array({"client_lr=0.1"}));

  const Outcome failed = sweep(fedavg + " --over 'strategy.objective_weights=[1,1,1,1,1,1],[1,1]' --dir failed");
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.out, HasSubstr("objective_weights=1,1 failed: "));
  const Outcome report = run_in_shell("'" + kCommand + "' report failed --terminal 2>&1", folder_);
  EXPECT_EQ(report.code, 0) << report.out;
  EXPECT_THAT(report.out, HasSubstr("objective_weights=[1, 1]"));
}

TEST_F(SweepCommand, ItsFolderMayHaveAnyName) {
  EXPECT_EQ(sweep(kQuadratics + " --dir s\xe9").code, 0);
  EXPECT_EQ(json("s\xe9/sweep.json").at("directory"), "s\xef\xbf\xbd");
}

TEST_F(SweepCommand, JsonIsAllThatStdoutHas) {
  const Outcome outcome = sweep(kQuadratics + " --dir s --json", "2>/dev/null");
  EXPECT_EQ(nlohmann::json::parse(outcome.out), json("s/sweep.json"));
}

TEST_F(SweepCommand, TabulatesTheClientsOfPersonalizedRuns) {
  const std::string configs = source_path() + "/experiments/fedpref/";
  const Outcome outcome = sweep(configs + "no_communication-quadratics.toml " + configs +
                                "fedpref-quadratics.toml --seeds 1,2 --set rounds=3 --reference 50,50,50,50 --dir private");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("hypervolume (higher is better) against (50, 50, 50, 50)"));
  EXPECT_THAT(lines("private/sweep.csv").at(0), HasSubstr("clients/scalarized,clients/hypervolume,clients/sparsity,clients/igd"));
  const auto clients = json("private/sweep.json").at("workloads").at(0).at("clients");
  EXPECT_EQ(clients.at("metric"), "loss");
  ASSERT_EQ(clients.at("groups").size(), 2U);
  for (const auto& group : clients.at("groups")) {
    EXPECT_GT(group.at("hypervolume").at("mean"), 0);
    EXPECT_GT(group.at("scalarized").at("spread"), 0) << "two seeds";
  }
  EXPECT_THAT(sweep("--resume --dir private --reference 1,2").out,
              HasSubstr("reference point: expected 4 numbers for quadratics, found 2"));
}

TEST_F(SweepCommand, WhatWouldLeaveNoTableIsFoundBeforeTheRuns) {
  const std::string wrong = " --over workload.objectives=2,3 --preferences 2 --dir s";
  EXPECT_THAT(sweep(kConfigs + "fedavg-quadratics.toml --set rounds=2" + wrong).out,
              HasSubstr("--preferences: expected 3 numbers for quadratics"));
  EXPECT_FALSE(fs::exists(folder_ / "s"));
  fs::create_directory(folder_ / "d");
  EXPECT_THAT(sweep(kQuadratics + " --dir s --front-csv d").out, HasSubstr("--front-csv: expected a file, found the folder d"));
  EXPECT_FALSE(fs::exists(folder_ / "s"));
  ASSERT_EQ(sweep(kQuadratics + " --seeds 1,2 --dir s").code, 0);
  std::ofstream(folder_ / "s/seed=1/metrics.jsonl", std::ios::app) << "garbage\n";
  const Outcome more = sweep("--resume s --seeds 3");
  EXPECT_EQ(more.code, 1);
  EXPECT_THAT(more.out, HasSubstr("seed=1/metrics.jsonl"));
  EXPECT_FALSE(fs::exists(folder_ / "s/seed=3"));
}

TEST_F(SweepCommand, ARunThatFailsBeforeItsFirstRoundIsAFailedOne) {
  const Outcome outcome = sweep(kQuadratics + " --set privacy.noise_multiplier=1 --seeds 1,2 --dir s --json", "2>/dev/null");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(json("s/sweep.json")["failed"], ElementsAre("seed=1", "seed=2"));
}

}  // namespace
}  // namespace paretofl
