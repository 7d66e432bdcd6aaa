#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/apps/run_command.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

TEST(Help, EverySubcommandHasAnExample) {
  const std::string command = std::string("'") + PARETOFL_COMMAND + "' ";
  const std::string overview = run_in_shell(command + "--help").out;
  for (const std::string subcommand :
       {"run", "sweep", "list", "data", "split", "weights", "indicators", "rollout", "tokenize", "generate", "convert", "report", "serve",
        "score", "train-lm", "train-reward", "questions", "export", "evaluate"}) {
    EXPECT_THAT(overview, HasSubstr("\n  " + subcommand + " "));
    const Outcome help = run_in_shell(command + subcommand + " --help");
    EXPECT_EQ(help.code, 0) << subcommand;
    EXPECT_THAT(help.out, HasSubstr("Example")) << subcommand;
    EXPECT_THAT(help.out, HasSubstr("paretofl " + subcommand + " ")) << subcommand;
    EXPECT_TRUE(help.out.find("--json") != std::string::npos || subcommand == "serve") << subcommand;  // that one has a page for it
  }
}

TEST(Help, ReportTellsOfFiguresAndTables) {
  const std::string help = run_in_shell(std::string("'") + PARETOFL_COMMAND + "' report --help").out;
  EXPECT_THAT(help, HasSubstr("--figures OUT"));
  EXPECT_THAT(help, HasSubstr("--latex OUT"));
}

TEST(Help, BadCommandLinesAreOneLine) {
  const std::string command = std::string("'") + PARETOFL_COMMAND + "' ";
  for (const auto& [arguments, expected] : std::vector<std::pair<std::string, std::string>>{
           {"lisst", "found 'lisst'; did you mean list?"}, {"", "A subcommand is required"}, {"run --bogus", "not expected: --bogus"}}) {
    const Outcome outcome = run_in_shell(command + arguments + " 2>&1");
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: "));
    EXPECT_THAT(outcome.out, HasSubstr(expected));
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  }
}

TEST(Help, OutputThatIsLostIsAnError) {
  const Outcome outcome = run_in_shell(std::string("printf '1,2\\n' | '") + PARETOFL_COMMAND + "' indicators - 2>&1 >/dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("paretofl: standard output: "));
}

}  // namespace
}  // namespace paretofl
