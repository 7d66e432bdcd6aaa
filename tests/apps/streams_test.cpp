// The command where its standard streams, or the files it is given, are not what one expects of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kStreamsCommand = command_path() + " ";
const std::string kThreeRounds = source_path() + "/experiments/fedcmoo/fedcmoo-quadratics.toml --set rounds=3 ";

class Streams : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "problem.json") << R"({"gramian": [[1, 0], [0, 2]]})";
    std::ofstream(folder_ / "rows.jsonl") << "{\"prompt\": \"\", \"completion\": \"abc\"}\n";
    std::ofstream(folder_ / "points.csv") << "1,2\n2,1\n";
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome shell(const std::string& line) const { return run_in_shell(line, folder_); }

  /// What a run found, without the time it took.
  std::string result(const std::string& directory) const {
    std::ifstream summary(folder_ / directory / "summary.json"), rows(folder_ / directory / "metrics.jsonl");
    std::string text = nlohmann::json::parse(summary).at("parameters_sha256").get<std::string>();
    for (std::string line; std::getline(rows, line);) {
      nlohmann::json row = nlohmann::json::parse(line);
      row.erase("seconds");
      text += row.dump() + '\n';
    }
    return text;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "streams";
};

TEST_F(Streams, OutputThatCannotBeWrittenIsAnError) {
  for (const std::string& arguments : std::vector<std::string>{
           "--help", "--version", "run --help", "list", "list --json", "list solvers min_norm", "data",
           "weights --solver min_norm problem.json", "indicators points.csv", "score --reward length --set target=2 rows.jsonl",
           "run --dir full " + kThreeRounds, "rollout --env deep-sea-treasure-v0 --actions - < moves.json"}) {
    std::ofstream(folder_ / "moves.json") << "[3]";
    const Outcome outcome = shell(kStreamsCommand + arguments + " 2>&1 > /dev/full");
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_THAT(outcome.out, HasSubstr("paretofl: standard output: expected to write all of the output, found: ")) << arguments;
    fs::remove_all(folder_ / "full");
    // A closed stream is asked for nothing, so there is nothing that could fail.
    EXPECT_EQ(shell(kStreamsCommand + arguments + " >&-").code, 0) << arguments;
    fs::remove_all(folder_ / "full");
    // Neither is there anyone to read it, nor anyone to tell.
    EXPECT_EQ(shell("exec 3<>pipe 4>pipe 3<&-; " + kStreamsCommand + arguments + " >&4 2>&4").code, 1) << arguments;
    fs::remove_all(folder_ / "full");
  }
}

TEST_F(Streams, MessagesThatCannotBeWrittenChangeNothing) {
  ASSERT_EQ(shell(kStreamsCommand + "sweep " + kThreeRounds + "--seeds 1..2 --dir expected 2>/dev/null").code, 0);
  for (const char* const target : {"2> /dev/full", "2>&-", "0<&- 2>&-", "2>&4"}) {
    for (const char* const trap : {"", "trap '' PIPE; "}) {
      const std::string before = std::string("exec 3<>pipe 4>pipe 3<&-; ") + trap + kStreamsCommand;
      ASSERT_EQ(shell(before + "sweep " + kThreeRounds + "--seeds 1..2 --dir s " + target).code, 0) << target;
      EXPECT_EQ(result("s/seed=1"), result("expected/seed=1")) << target;
      EXPECT_EQ(result("s/seed=2"), result("expected/seed=2")) << target;
      // Going on says so.
      ASSERT_EQ(shell(before + "run --resume s/seed=1 " + target).code, 0) << target;
      EXPECT_EQ(result("s/seed=1"), result("expected/seed=1")) << target;
      EXPECT_EQ(shell(before + "run absent.toml --dir x " + target).code, 1) << target;
      fs::remove_all(folder_ / "s");
    }
  }
}

// A file that got the number of a closed stream would hold what is printed.
TEST_F(Streams, NothingIsPrintedIntoAFile) {
  ASSERT_EQ(shell(kStreamsCommand + "run " + kThreeRounds + "--dir expected").code, 0);
  EXPECT_EQ(shell(kStreamsCommand + "run " + kThreeRounds + "--dir closed 0<&- 1>&- 2>&-").code, 0);
  EXPECT_EQ(result("closed"), result("expected"));
  EXPECT_EQ(shell("grep -rl paretofl: closed").out, "");
  EXPECT_EQ(fs::file_size(folder_ / "closed/.lock"), 0U);
}

TEST_F(Streams, AFileThatMayNotGrowIsAnError) {
  const Outcome outcome = shell("ulimit -f 1; " + kStreamsCommand + "run " + kThreeRounds + "--set rounds=100 --dir limited 2>&1");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: "));
  EXPECT_THAT(outcome.out, HasSubstr("File too large"));
}

// Each would wait for ever for somebody to write into the pipe.
TEST_F(Streams, InputThatIsNoFileIsRefused) {
  ASSERT_EQ(shell(kStreamsCommand + "run " + kThreeRounds + "--dir run").code, 0);
  fs::create_directories(folder_ / "model");
  const auto replace = [&](const std::string& name) {
    fs::remove(folder_ / name);
    ASSERT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
  };
  replace("model/config.json");
  const auto expect_refused = [&](const std::string& arguments) {
    const Outcome outcome = shell("timeout 60 " + kStreamsCommand + arguments + " 2>&1 < /dev/null");
    EXPECT_EQ(outcome.code, 1) << arguments << ": " << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr(": expected a file, found a pipe")) << arguments;
  };
  for (const std::string& arguments : std::vector<std::string>{
           "run pipe --dir x", "sweep pipe --dir x", "sweep fedcmoo_pref-quadratics --set rounds=3 --preferences pipe --dir x",
           "weights --solver min_norm pipe", std::string("indicators pipe"), std::string("indicators points.csv --reference-front pipe"),
           std::string("score --reward length --set target=1 pipe"), std::string("tokenize --tokenizer pipe"),
           std::string("generate --model model --prompt-ids 1"), std::string("rollout --env deep-sea-treasure-v0 --actions pipe"),
           std::string("train-lm --data rows.jsonl --tokenizer pipe --dir x")}) {
    expect_refused(arguments);
  }
  for (const std::string& name : std::vector<std::string>{"run/summary.json", "run/metrics.jsonl", "run/config.toml"}) {
    replace(name);
    expect_refused("report --terminal run");
    if (name != "run/summary.json") expect_refused("run --resume run --set rounds=5");
  }
}

TEST_F(Streams, StandardInputAndDescriptorsMayBePipes) {
  const std::string score = kStreamsCommand + "score --reward length --set target=2 ";
  const std::string expected = shell(score + "rows.jsonl").out;
  EXPECT_NE(expected, "");
  for (const char* const name : {"-", "/dev/stdin", "/dev/fd/0"})
    EXPECT_EQ(shell("cat rows.jsonl | " + score + name).out, expected) << name;
  EXPECT_EQ(shell("cat rows.jsonl | { " + score + "/dev/fd/7 7<&0 < /dev/null; }").out, expected);
  EXPECT_THAT(shell(score + "- 0<&- 2>&1").out, HasSubstr("standard input: expected a JSON object per line, found nothing"));
}

// What acts on a terminal reaches it as text, from names of files, of options and from what files hold.
TEST_F(Streams, NamesAreShownAsText) {
  const std::string name = "x\x1b[31m\xc2\x9b\xe2\x80\xae\xff\n";
  const std::string shown = "x\\x1b[31m\\u009b\\u202e\\xff\\n";
  const std::string quoted = "'" + name + "'";
  for (const std::string& arguments :
       std::vector<std::string>{"run " + quoted, "list " + quoted, "list solvers " + quoted, "report " + quoted,
                                "weights --solver " + quoted, "score --reward length rows.jsonl --set " + quoted, quoted, "--" + quoted,
                                "run " + kThreeRounds + "--dir y --set strategy.name=" + quoted}) {
    const Outcome outcome = shell(kStreamsCommand + arguments + " 2>&1");
    EXPECT_NE(outcome.code, 0) << arguments;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
    EXPECT_EQ(outcome.out.find_first_of("\x1b\xff"), std::string::npos) << outcome.out;
  }
  EXPECT_THAT(shell(kStreamsCommand + "list " + quoted + " 2>&1").out, HasSubstr("found '" + shown + "'"));
}

TEST_F(Streams, MessagesAreNotMegabytesLong) {
  const Outcome outcome = shell(kStreamsCommand + "list $(printf '%0100000d' 7) 2>&1");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_LT(outcome.out.size(), 2000U);
  EXPECT_THAT(outcome.out, HasSubstr("000000 ..\n"));
}

}  // namespace
}  // namespace paretofl
