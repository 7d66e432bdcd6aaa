#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/run_command.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

TEST(Help, EverySubcommandHasAnExample) {
  const std::string command = std::string("'") + PARETOFL_COMMAND + "' ";
  const std::string overview = run_in_shell(command + "--help").out;
  for (const std::string subcommand : {"run", "sweep", "list", "data", "weights", "indicators", "rollout", "tokenize", "generate",
                                       "convert", "report", "score", "train-lm", "train-reward", "questions"}) {
    EXPECT_THAT(overview, HasSubstr("\n  " + subcommand + " "));
    const Outcome help = run_in_shell(command + subcommand + " --help");
    EXPECT_EQ(help.code, 0) << subcommand;
    EXPECT_THAT(help.out, HasSubstr("Example")) << subcommand;
    EXPECT_THAT(help.out, HasSubstr("paretofl " + subcommand + " ")) << subcommand;
    EXPECT_THAT(help.out, HasSubstr("--json")) << subcommand;
  }
}

}  // namespace
}  // namespace paretofl
