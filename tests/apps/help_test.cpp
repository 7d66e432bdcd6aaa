#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "paretofl/terminal/fitted_text.h"
#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

TEST(Help, EverySubcommandHasAnExample) {
  const std::string command = "'" + command_path() + "' ";
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

// A bare "(1)" behind a text does not say that it is the default.
TEST(Help, DefaultsAreCalledSo) {
  const std::string command = "'" + command_path() + "' ";
  for (const std::string subcommand : {"generate", "train-lm", "train-reward", "questions", "rollout", "score", "epsilon"}) {
    const std::string help = run_in_shell(command + subcommand + " --help").out;
    EXPECT_THAT(help, HasSubstr("(default: ")) << subcommand;
    for (const char* bare : {"(1)", "(2)", "(cpu)", "(training)", "(float32)", "(repeatable)"}) {
      const std::string options = help.substr(0, help.find("\n\n", help.find("Options:")));
      EXPECT_THAT(options, testing::Not(HasSubstr(bare))) << subcommand;
    }
  }
}

TEST(Help, FitsANarrowTerminalAndLosesNoWord) {
  const std::string command = "'" + command_path() + "' ";
  for (const std::string subcommand : {"", "run", "sweep", "list", "data", "weights", "epsilon", "generate", "report", "federate"}) {
    const std::string help = run_in_shell(command + subcommand + " --help").out;
    const std::string narrow = fitted_text(help, 44);
    std::istringstream words(help), narrow_words(narrow);
    for (std::string word, other; words >> word;) {
      ASSERT_TRUE(narrow_words >> other);
      ASSERT_EQ(word, other) << subcommand;
    }
    std::istringstream lines(narrow);
    for (std::string line; std::getline(lines, line);) {
      const bool one_word = line.find_last_of(' ') == std::string::npos || line.find_last_of(' ') < line.find_first_not_of(' ');
      EXPECT_TRUE(line.size() <= 44 || one_word || line.starts_with("  paretofl ")) << subcommand << ": " << line;
    }
  }
}

TEST(Help, ReportTellsOfFiguresAndTables) {
  const std::string help = run_in_shell("'" + command_path() + "' report --help").out;
  EXPECT_THAT(help, HasSubstr("--figures OUT"));
  EXPECT_THAT(help, HasSubstr("--latex OUT"));
}

TEST(Help, BadCommandLinesAreOneLine) {
  const std::string command = "'" + command_path() + "' ";
  for (const auto& [arguments, expected] : std::vector<std::pair<std::string, std::string>>{
           {"lisst", "found 'lisst'; did you mean list?"},
           {"", "A subcommand is required"},
           {"run --bogus", "run: expected one of --dir, --help,"},
           {"run --bogus", "; found '--bogus'\n"},
           {"run --sett a=1", "found '--sett'; did you mean --set?"},
           {"run x.toml --rounds 3", "found '--rounds'; did you mean --set rounds=3?"},
           {"run x.toml --strategy=fedavg", "did you mean --set strategy.name=fedavg?"},
           {"run x.toml --strategy.client-lr 0.1", "did you mean --set strategy.client_lr=0.1?"},
           {"sweep x.toml rounds=3", "did you mean --set rounds=3?"},
           {"run a b", "run: expected CONFIG alone, found 'b' too"},
           {"run --dir", "run: expected --dir DIR, found --dir without a value"},
           {"weights --bogus 1 f.json", "found '--bogus'"},
           {"export run --format numpy --ouput x", "found '--ouput'; did you mean --output?"},
           {"export run --format numpy", "export: expected --output, found none"},
           {"report", "report: expected DIR, found none"},
           {"serve x --port", "serve: expected --port N, found --port without a value"},
           {"serve x --port abc", "--port: expected a whole number, found 'abc'\n"},
           {"epsilon --delta x --rounds 1", "--delta: expected a number, found 'x'"},
           {"run x.toml --json=maybe", "--json: expected no value, found 'maybe'"},
           {"--bogus", "expected one of --help, --plugin, --version; found '--bogus'"}}) {
    const Outcome outcome = run_in_shell(command + arguments + " 2>&1");
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: "));
    EXPECT_THAT(outcome.out, HasSubstr(expected));
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  }
}

TEST(Help, OutputThatIsLostIsAnError) {
  const Outcome outcome = run_in_shell("printf '1,2\\n' | '" + command_path() + "' indicators - 2>&1 >/dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("paretofl: standard output: "));
}

}  // namespace
}  // namespace paretofl
