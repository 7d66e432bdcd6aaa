// What `paretofl run` says at its end, what it takes by name, and what it refuses before the first round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;

class RunEnd : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome command(const std::string& arguments) const { return run_in_shell("'" + command_path() + "' " + arguments, folder_); }
  nlohmann::json summary(const std::string& directory) const {
    std::ifstream file(folder_ / directory / "summary.json");
    return nlohmann::json::parse(file, nullptr, false);
  }

  fs::path folder_ = fs::temp_directory_path() / ("paretofl_run_end_" + std::to_string(::getpid()));
};

TEST_F(RunEnd, FiguresReportAndNextCommandAreForPeople) {
  EXPECT_EQ(command("run fedcmoo-quadratics --set rounds=3 --dir one 2>/dev/null").out, "one\n");
  const std::string text = command("run fedcmoo-quadratics --set rounds=3 --dir two 2>&1 >/dev/null").out;
  EXPECT_THAT(text, HasSubstr("paretofl: fedcmoo 3/3 rounds, "));
  EXPECT_THAT(text, HasSubstr("fedcmoo on quadratics, seed 1, after 3 rounds:\ntest"));
  EXPECT_THAT(text, HasSubstr("\nreport: two/report.html\nnext: paretofl report --terminal two\n"));
  EXPECT_EQ(command("report --terminal two 2>/dev/null").code, 0);
  const Outcome json = command("run fedcmoo-quadratics --set rounds=3 --dir three --json 2>messages");
  EXPECT_EQ(nlohmann::json::parse(json.out, nullptr, false)["rounds"], 3);
  EXPECT_THAT(run_in_shell("cat messages", folder_).out, testing::Not(HasSubstr("report:")));
}

TEST_F(RunEnd, TheSummaryTellsWhereItComesFrom) {
  ASSERT_EQ(command("run fedcmoo-quadratics --set rounds=2 --dir run 2>&1").code, 0);
  const nlohmann::json json = summary("run");
  const std::string version = json.value("version", "none");
  const std::string commit = json.value("commit", "none");
  EXPECT_THAT(version, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(commit, testing::MatchesRegex("([0-9a-f]{40}(-dirty)?)?"));
  EXPECT_NE(json.value("compiler", ""), "");
  EXPECT_GE(json.value("vector_bits", 0), 128);
  EXPECT_NE(json.value("processor", ""), "");
  const std::string time = "20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z";
  EXPECT_THAT(json.value("started", ""), testing::MatchesRegex(time));
  EXPECT_THAT(json.value("ended", ""), testing::MatchesRegex(time));
  EXPECT_LE(json.value("started", ""), json.value("ended", ""));
  EXPECT_FALSE(json.contains("plugins"));
  const std::string printed = command("--version").out;
  EXPECT_EQ(printed, commit.empty() ? "paretofl " + version + "\n" : "paretofl " + version + " (commit " + commit + ")\n");
}

TEST_F(RunEnd, PresetsRunByNameFromAnyFolder) {
  const auto listed = nlohmann::json::parse(command("list presets --json").out, nullptr, false)["presets"];
  EXPECT_GE(listed.size(), 80U);
  EXPECT_THAT(command("list presets").out, ContainsRegex("fedcmoo-glyphs +The main job on procedural images"));
  EXPECT_THAT(command("list presets fedcmoo-glyphs").out, HasSubstr("strategy fedcmoo, workload glyphs, file /"));
  const Outcome unknown = command("run fedcmo-glyphs 2>&1");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.out, HasSubstr("found 'fedcmo-glyphs'; did you mean fedcmoo-glyphs?"));
  EXPECT_THAT(command("list presets fedcmo-glyphs 2>&1").out, HasSubstr("did you mean fedcmoo-glyphs?"));
  EXPECT_EQ(command("sweep fedcmoo-quadratics --set rounds=1 --seeds 1,2 --dir sweep 2>&1").code, 0);
}

TEST_F(RunEnd, TheEnvironmentNamesAnotherFolderOfPresets) {
  fs::create_directories(folder_ / "mine" / "group");
  std::ofstream(folder_ / "mine" / "group" / "small.toml")
      << "# Two rounds.\nrounds = 2\n[strategy]\nname = \"fedavg\"\n[workload]\nname = "
         "\"quadratics\"\n";
  const std::string mine = "PARETOFL_PRESETS=mine ";
  const std::string paretofl = "'" + command_path() + "' ";
  EXPECT_EQ(run_in_shell(mine + paretofl + "list presets", folder_).out,
            "presets\n  small                                   Two rounds.\n");
  EXPECT_EQ(run_in_shell(mine + paretofl + "run small --dir run 2>&1", folder_).code, 0);
  const Outcome missing = run_in_shell("PARETOFL_PRESETS=absent " + paretofl + "list presets 2>&1", folder_);
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.out, HasSubstr("PARETOFL_PRESETS: expected a folder of presets, found none at absent"));
}

TEST_F(RunEnd, AModelThatDoesNotFitTheDataIsFoundBeforeTheFirstRound) {
  const Outcome outcome = command("run fedcmoo-glyphs --set workload.model=small_cnn --dir run 2>&1");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: workload.model: expected a model for training images of 1 x 28 x 28 (channels, "
                                               "rows, columns), found small_cnn, which does not fit ("));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
  EXPECT_FALSE(fs::exists(folder_ / "run"));
}

TEST_F(RunEnd, MissingDataNamesTheKeyAndTheCommand) {
  for (const std::string workload :
       {"mnist_fmnist", "multimnist", "cifar10_mnist", "qm9", "celeba", "celeba5", "gsm8k", "math", "mbpp", "humaneval"}) {
    std::ofstream(folder_ / "c.toml") << "[strategy]\nname = \"fedavg\"\n[workload]\nname = \"" << workload << "\"\n";
    const Outcome outcome = command("run c.toml --set data.root=nowhere --dir run 2>&1");
    EXPECT_EQ(outcome.code, 1) << workload;
    EXPECT_THAT(outcome.out, HasSubstr("data.root is 'nowhere' below the current folder, and `paretofl data " + workload +
                                       "` tells which files belong there"))
        << workload;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
    EXPECT_EQ(command("data " + workload).code, 0) << workload;
  }
}

TEST_F(RunEnd, AnAlignmentRunEndsWithACommandThatGenerates) {
  const std::string small = " --set rounds=1 --set strategy.local_steps=1 --set strategy.cohort_size=2 --set workload.clients=2";
  const std::string text = command("run firm-alignment" + small + " --dir run 2>&1").out;
  const std::size_t at = text.find("next: paretofl generate --adapter run/model ");
  ASSERT_NE(at, std::string::npos) << text;
  const std::string arguments = text.substr(at + 15, text.find('\n', at) - at - 15);
  const Outcome outcome = command(arguments);
  EXPECT_EQ(outcome.code, 0) << arguments;
  EXPECT_EQ(nlohmann::json::parse(outcome.out, nullptr, false)["ids"].size(), 32U);

  EXPECT_TRUE(fs::exists(folder_ / "run" / "model" / "base" / "tokenizer.json"));
  fs::rename(folder_ / "run", folder_ / "moved");
  EXPECT_EQ(command("generate --adapter moved/model --prompt Hello --max-new-tokens 2").code, 0) << "the base model moves along";
  fs::remove_all(folder_ / "moved" / "model" / "base");
  const Outcome without = command("generate --adapter moved/model --prompt Hello 2>&1");
  EXPECT_EQ(without.code, 1);
  EXPECT_THAT(without.out,
              HasSubstr("expected the folder of the base model at base_model_name_or_path, found 'base'; --model names another"));
}

}  // namespace
}  // namespace paretofl
