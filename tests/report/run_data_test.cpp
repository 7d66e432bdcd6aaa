#include "paretofl/report/run_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/report/front_points.h"
#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

fs::path parent() { return fs::path(testing::TempDir()) / "run_data"; }

/// A sample run whose file `name` holds `text` instead.
fs::path with_file(const std::string& name, const std::string& text) {
  fs::path folder = write_sample_run(parent(), {.name = "broken", .rounds = 3});
  fs::create_directories((folder / name).parent_path());
  std::ofstream(folder / name, std::ios::binary) << text;
  return folder;
}

std::string error_of(const fs::path& folder) {
  try {
    load_run(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(RunData, ReadsAFinishedRun) {
  const RunData run = load_run(write_sample_run(parent(), {.name = "whole", .seed = 7, .rounds = 5}));
  EXPECT_EQ(run.name, "whole");
  EXPECT_EQ(run.strategy, "fedcmoo");
  EXPECT_EQ(run.workload, "glyphs");
  EXPECT_EQ(run.seed, "7");
  EXPECT_THAT(run.objectives, ElementsAre("left", "right"));
  EXPECT_EQ(run.keys.at("runtime.threads"), "2");
  ASSERT_EQ(run.rows.size(), 5u);
  EXPECT_EQ(run.rows[4].round, 5);
  EXPECT_THAT(run.rows[4].measured.at("test/accuracy"), ElementsAre(0.9, 0.8));
  EXPECT_FALSE(run.rows[0].measured.contains("test/accuracy"));
  EXPECT_EQ(run.rows[0].lambda.size(), 2u);
  EXPECT_EQ(run.rows[0].seconds.at("train"), 0.5);
  ASSERT_EQ(run.rows[2].failures.size(), 1u);
  EXPECT_EQ(run.rows[2].failures[0].client, 7);
  EXPECT_THAT(run.test.at("accuracy"), ElementsAre(0.9, 0.8));
  EXPECT_EQ(run.bytes_up, 5e6);
  ASSERT_TRUE(run.summary);
  EXPECT_EQ(run.summary->cpu_seconds, 24.25);
}

TEST(RunData, ARunThatFailedHasNoFinalFigures) {
  const fs::path folder = write_sample_run(parent(), {.name = "failed", .rounds = 3});
  nlohmann::json summary;
  std::ifstream(folder / "summary.json") >> summary;
  summary["status"] = "failed";
  summary["failure"] = "expected finite parameters";
  std::ofstream(folder / "summary.json") << summary;
  std::ofstream(folder / "metrics.jsonl", std::ios::app)
      << R"({"round": 4, "bytes_up": 1, "bytes_down": 1, "seconds": {}, "metrics": {}, "failures": [], )"
      << R"("front": {"preferences": [[1, 0], [0, 1]], "accuracy": [[0.9, 0.1], [0.2, 0.8]]}, "clients": {"accuracy": [[0.5, 0.5]]}})"
      << '\n';
  const RunData run = load_run(folder);
  EXPECT_EQ(with_front_points({run}).size(), 1u);
  EXPECT_TRUE(run.rows.back().front.empty() && run.rows.back().clients.empty());
  EXPECT_TRUE(run.test.empty());
  EXPECT_EQ(run.rows.size(), 4u);
  EXPECT_EQ(run.summary->failure, "expected finite parameters");
}

TEST(RunData, TheFoldersOfASplitAreNoRun) {
  const fs::path runs = parent() / "runs";
  fs::remove_all(runs);
  write_sample_run(runs, {.name = "a"});
  fs::create_directories(runs / "parts/server");
  fs::copy_file(runs / "a/config.toml", runs / "parts/config.toml");
  EXPECT_EQ(load_runs({runs}).size(), 2u) << "a run that has not begun";
  std::ofstream(runs / "parts/server/part.json") << R"({"party": "server"})";
  EXPECT_EQ(load_runs({runs}).size(), 1u);
}

TEST(RunData, KnowsWhatTheWorkloadSaysOfSeedsAndUnits) {
  const RunData run = load_run(write_sample_run(parent(), {.name = "says", .seed_changes_problem = true, .unlike_units = {"accuracy"}}));
  EXPECT_EQ(run.seed_changes_problem, true);
  EXPECT_FALSE(run.shares_unit("accuracy"));
  EXPECT_TRUE(run.shares_unit("return")) << "as the workload says";
  const RunData going = load_run(write_sample_run(parent(), {.name = "silent", .finished = false}));
  EXPECT_FALSE(going.seed_changes_problem);
  EXPECT_TRUE(going.shares_unit("accuracy"));
  EXPECT_FALSE(going.shares_unit("return")) << "by its name";
}

TEST(RunData, RefusesOtherWordsOfSeedsAndUnits) {
  const auto summary = [](const std::string& more) {
    return R"({"objectives": ["left", "right"], "bytes_up": 0, "bytes_down": 0, "wall_seconds": 0, "cpu_seconds": 0,
               "peak_rss_bytes": 0, "parameters_sha256": "a", )" +
           more + "}";
  };
  EXPECT_THAT(error_of(with_file("summary.json", summary(R"("seed_changes_problem": 1)"))),
              HasSubstr("expected true or false at seed_changes_problem, found number"));
  EXPECT_THAT(error_of(with_file("summary.json", summary(R"("unlike_units": [1])"))),
              HasSubstr("expected a list of texts at unlike_units"));
}

TEST(RunData, ReadsAnUnfinishedRun) {
  const RunData run = load_run(write_sample_run(parent(), {.name = "going", .rounds = 4, .finished = false}));
  EXPECT_FALSE(run.summary);
  EXPECT_FALSE(run.torn);
  EXPECT_THAT(run.objectives, ElementsAre("left", "right"));
  EXPECT_THAT(run.test.at("accuracy"), ElementsAre(0.9, 0.8));
  EXPECT_EQ(run.bytes_up, 4e6);
  EXPECT_EQ(run.bytes_down, 6e6);
}

// Objectives stand in the order of the file, not of the alphabet: lambda goes by it.
TEST(RunData, KeepsTheOrderOfObjectivesWithoutASummary) {
  const fs::path folder = write_sample_run(parent(), {.name = "order", .finished = false});
  std::ofstream(folder / "metrics.jsonl") << R"({"round": 1, "train": {"loss": {"zeta": 1, "alpha": 2}}, "lambda": [0.25, 0.75]})" << '\n';
  const RunData run = load_run(folder);
  EXPECT_THAT(run.objectives, ElementsAre("zeta", "alpha"));
  EXPECT_THAT(run.rows[0].measured.at("train/loss"), ElementsAre(1, 2));
}

TEST(RunData, LeavesOutAHalfWrittenLastLine) {
  const fs::path folder = write_sample_run(parent(), {.name = "torn", .rounds = 4, .finished = false});
  std::ofstream(folder / "metrics.jsonl", std::ios::app) << R"({"round": 5, "train": {"lo)";
  const RunData run = load_run(folder);
  EXPECT_TRUE(run.torn);
  EXPECT_EQ(run.rows.size(), 4u);
}

TEST(RunData, ReadsARunWithoutARoundYet) {
  const fs::path folder = write_sample_run(parent(), {.name = "empty", .finished = false});
  fs::resize_file(folder / "metrics.jsonl", 0);
  EXPECT_TRUE(load_run(folder).rows.empty());
}

TEST(RunData, TakesNullForUnknown) {
  const RunData run = load_run(with_file("metrics.jsonl", R"({"round": 1, "train": {"loss": {"left": null, "right": 1}}})"
                                                          "\n"));
  EXPECT_TRUE(std::isnan(run.rows[0].measured.at("train/loss")[0]));
}

TEST(RunData, ReadsAFolderOfRunsByName) {
  const fs::path folder = parent() / "several";
  fs::remove_all(folder);
  write_sample_run(folder, {.name = "b"});
  write_sample_run(folder, {.name = "a"});
  fs::create_directories(folder / "no run");
  const auto runs = load_runs({folder});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].name, "a");
  EXPECT_EQ(runs[1].name, "b");
}

TEST(RunData, AFoldersRunsComeInTheirNumbersOrder) {
  const fs::path folder = parent() / "numbered";
  fs::remove_all(folder);
  const std::vector<std::string> names = {"lr=0.05_seed=1", "lr=0.1_seed=2",  "lr=0.1_seed=10", "lr=0.125_seed=1",
                                          "lr=0.15_seed=1", "lr=0.25_seed=1", "lr=2_seed=1",    "lr=10_seed=1"};
  for (const std::string& name : names) write_sample_run(folder, {.name = name});
  std::vector<std::string> found;
  for (const RunData& run : load_runs({folder})) found.push_back(run.name);
  EXPECT_EQ(found, names);
}

TEST(RunData, AFolderGivenTwiceIsOneRun) {
  const fs::path folder = parent() / "twice";
  fs::remove_all(folder);
  const fs::path run = write_sample_run(folder, {.name = "a"});
  EXPECT_EQ(load_runs({folder, run, folder / "." / "a", run}).size(), 1U);
}

TEST(RunData, ARunThatHasNotBegunHasNoRows) {
  const fs::path folder = write_sample_run(parent(), {.name = "new", .finished = false});
  fs::remove(folder / "metrics.jsonl");
  const RunData run = load_run(folder);
  EXPECT_TRUE(run.rows.empty());
  EXPECT_FALSE(run.torn);
}

TEST(RunData, ReadsTheCompletionsOfALanguageModel) {
  EXPECT_TRUE(load_run(write_sample_run(parent(), {.name = "whole"})).completions.empty());
  const RunData run =
      load_run(with_file("model/completions.jsonl", R"({"prompt": "A?", "completion": "b\n", "reward": {"x": 0.5, "y": null}})"
                                                    "\n"
                                                    R"({"reward": {}, "completion": "", "prompt": "", "answer": 3})"));
  ASSERT_EQ(run.completions.size(), 2u);
  EXPECT_EQ(run.completions[0].prompt, "A?");
  EXPECT_EQ(run.completions[0].completion, "b\n");
  EXPECT_EQ(run.completions[0].reward.at("x"), 0.5);
  EXPECT_TRUE(std::isnan(run.completions[0].reward.at("y")));
  EXPECT_TRUE(run.completions[1].reward.empty());
}

struct Broken {
  std::string file;
  std::string text;
  std::string expected;  ///< in the error
};

class BrokenRun : public testing::TestWithParam<Broken> {};

TEST_P(BrokenRun, IsOneClearError) {
  const auto& [file, text, expected] = GetParam();
  const std::string error = error_of(with_file(file, text));
  EXPECT_THAT(error, HasSubstr(expected));
  EXPECT_THAT(error, HasSubstr(file));
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    RunData, BrokenRun,
    testing::Values(
        Broken{"metrics.jsonl", "{\"round\": 1}\n{\"round\": 2,}\n", ":2: expected JSON"},
        Broken{"metrics.jsonl", "{\"round\": 1}\n{\"rou", ":2: expected JSON"}, Broken{"metrics.jsonl", "[1]\n", ":1: expected an object"},
        Broken{"model/completions.jsonl", "{\"prompt\": \"\"\n", ":1: expected JSON"},
        Broken{"model/completions.jsonl", "\n", ":1: expected JSON"}, Broken{"model/completions.jsonl", "[]\n", ":1: expected an object"},
        Broken{"model/completions.jsonl", "{\"prompt\": \"\", \"completion\": 1}", ":1: completion: expected a text, found number"},
        Broken{"model/completions.jsonl", R"({"prompt": "", "completion": "", "reward": {"x": "1"}})",
               ":1: expected a number for each reward, found string"},
        Broken{"metrics.jsonl", "{}\n", ":1: expected the key round, found none"},
        Broken{"metrics.jsonl", "{\"round\": -4}\n", "expected a round, found -4"},
        Broken{"metrics.jsonl", "{\"round\": 1}\n{\"round\": 1}\n", ":2: expected a round after 1, found 1"},
        Broken{"metrics.jsonl",
               R"({"round": 1, "train": {"loss": {"left": "low"}}})"
               "\n",
               R"(expected a number at left, found "low")"},
        Broken{"metrics.jsonl",
               R"({"round": 1, "train": {"loss": [1, 2]}})"
               "\n",
               "expected an object at loss"},
        Broken{"metrics.jsonl",
               R"({"round": 1, "test": {"loss": {"middle": 1}}})"
               "\n",
               "expected one of the objectives left, right at loss, found 'middle'"},
        Broken{"metrics.jsonl",
               R"({"round": 1, "lambda": [1]})"
               "\n",
               "expected 2 numbers at lambda, found 1"},
        Broken{"metrics.jsonl",
               R"({"round": 1, "bytes_up": "many"})"
               "\n",
               "expected a number at bytes_up"},
        Broken{"metrics.jsonl",
               R"({"round": 1, "failures": [{"client": 1}]})"
               "\n",
               "expected the key verb"},
        Broken{"metrics.jsonl",
               R"({"round": 1, "failures": {}})"
               "\n",
               "expected a list at failures"},
        Broken{"config.toml", "seed = 1\nstrategy = \"fedcmoo\"", "expected the key strategy.name, found none"},
        Broken{"config.toml", "seed = = 1", ":1:"}, Broken{"summary.json", "{", "expected JSON"},
        Broken{"summary.json", "[]", "expected an object"}, Broken{"summary.json", "{}", "expected a list at objectives"},
        Broken{"summary.json", R"({"objectives": ["left"], "test": {}})", "expected the key bytes_up"},
        Broken{"summary.json", R"({"objectives": [1]})", "expected texts at objectives"}));

TEST(RunData, MissingFilesAreErrors) {
  EXPECT_THAT(error_of(parent() / "nowhere"), HasSubstr("expected a run directory, found none"));
  for (const char* file : {"config.toml", "metrics.jsonl"}) {
    const fs::path folder = write_sample_run(parent(), {.name = "missing"});
    fs::remove(folder / file);
    EXPECT_THAT(error_of(folder), HasSubstr(file));
  }
  fs::create_directories(parent() / "hollow");
  EXPECT_THROW(load_runs({parent() / "hollow"}), Error);
}

}  // namespace
}  // namespace paretofl
