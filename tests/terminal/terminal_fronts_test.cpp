#include "paretofl/terminal/terminal_fronts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

TEST(TerminalFronts, TellHowFarEachStrategysSettingsReachTogether) {
  const auto runs =
      sample_run_data("terminal_fronts", {{.name = "a", .final_accuracy = {0.9, 0.5}, .settings = "preference = [0.9, 0.1]\n"},
                                          {.name = "b", .final_accuracy = {0.6, 0.7}, .settings = "preference = [0.5, 0.5]\n"},
                                          {.name = "c", .strategy = "fedavg", .final_accuracy = {0.5, 0.4}}});
  const std::string text = terminal_fronts(runs, {.reference = {0, 0}});
  EXPECT_THAT(text, testing::StartsWith("glyphs: final test accuracy (higher is better)\n\n"
                                        "  strategy  settings  on the front  hypervolume\n"
                                        "A fedcmoo          2             2       0.5700\n"
                                        "B fedavg           1             0       0.2000\n"
                                        "hypervolume against (0, 0); higher is better\n\n"
                                        "right (test accuracy)\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), 'A'), 3) << "the table's and the plot's two";
}

TEST(TerminalFronts, SayWhereAHypervolumeIsMissing) {
  const std::string text = terminal_fronts(sample_run_data("terminal_fronts", {{.name = "a", .final_accuracy = {0.9, 0.5}}}));
  EXPECT_THAT(text, HasSubstr("hypervolume: only where a strategy has several settings, such as preferences\n"));
}

TEST(TerminalFronts, SaySoWhereThereIsNone) {
  EXPECT_THAT(terminal_fronts(sample_run_data("terminal_fronts", {{.name = "a", .objectives = {"only"}, .final_accuracy = {0.9}}})),
              HasSubstr("No front"));
}

}  // namespace
}  // namespace paretofl
