#include "paretofl/terminal/terminal_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "paretofl/terminal/terminal_details.h"
#include "paretofl/terminal/text_table.h"
#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_width(line));
  return widest;
}

TEST(TerminalNumber, IsNeverLong) {
  EXPECT_EQ(terminal_number({0.98765, 0.0123}, 0.98), "0.9877 ±0.0123");
  EXPECT_EQ(terminal_number({123456, NAN}, 123456), "123456");
  EXPECT_EQ(terminal_number({1.234567e75, 2e74}, 1.2e75), "1.2346e+75 ±2e+74") << "of a run that diverged";
  EXPECT_EQ(terminal_number({NAN, NAN}, 1), "-");
}

TEST(TerminalReport, NamesActOnNoTerminal) {
  const std::string bad = "\x1b[2J\xc2\x9b\xe2\x80\xae\x07";
  const std::string settings = "text = \"\\u001b\\u009b\\n\"\n";
  const auto check = [&](std::vector<std::string> objectives, std::vector<double> accuracy) {
    std::vector<RunData> runs = sample_run_data(
        "terminal", {{.name = "a", .objectives = objectives, .final_accuracy = accuracy, .settings = settings},
                     {.name = "b", .strategy = "fsmgda", .objectives = objectives, .final_accuracy = accuracy, .finished = false}});
    for (RunData& run : runs) run.strategy += bad, run.workload += bad;
    const std::string text = terminal_report(runs, {.width = 60});
    for (const char* part : {"\x1b", "\xc2\x9b", "\xe2\x80\xae", "\x07"}) EXPECT_THAT(text, Not(HasSubstr(part)));
    EXPECT_THAT(text, HasSubstr("\\x1b[2J\\u009b\\u202e"));
  };
  check({"left" + bad, "right\n" + bad}, {0.8, 0.9});
  check({"a" + bad, "b" + bad, "c", "d", "e", "f"}, {0.8, 0.9, 0.7, 0.6, 0.5, 0.4});
}

TEST(TerminalReport, FiguresThatAreNotFiniteHaveNoCurve) {
  const auto runs = sample_run_data("terminal", {{.name = "a", .final_accuracy = {NAN, NAN}}});
  const std::string text = terminal_report(runs);
  EXPECT_THAT(text, Not(HasSubstr("inf")));
  EXPECT_THAT(text, Not(HasSubstr("accuracy by round")));
}

TEST(TerminalReport, Golden) {
  const auto runs = sample_run_data("terminal", {{.name = "a", .final_accuracy = {0.8, 0.9}},
                                                 {.name = "b", .strategy = "fsmgda", .final_accuracy = {0.7, 0.6}},
                                                 {.name = "c", .strategy = "fedavg", .final_accuracy = {0.9, 0.5}, .finished = false}});
  EXPECT_EQ(terminal_report(runs), R"(glyphs: final test accuracy (higher is better)

   strategy  seed    left   right    mean   upload    wall     CPU
A* fedcmoo      1  0.8000  0.9000  0.8500  20.0 MB  12.5 s  24.2 s
B  fsmgda       1  0.7000  0.6000  0.6500  20.0 MB  12.5 s  24.2 s
C* fedavg       1  0.9000  0.5000  0.7000  20.0 MB       -       -
There is one seed per row: small differences may be chance.
*: on the Pareto front, dominated by no other row
fedavg: unfinished, its last evaluation so far

right (test accuracy)
  0.92 ┤
       │                                   A
       │                                   ·
       │                                   ·
       │                                   ·
0.7733 ┤                                   ·
       │                                   ·
       │                                   ·
       │                                   ·
       │                                   ·
0.6267 ┤                                   ·
       │   B                               ·
       │                                   ·
       │                                   ·
       │                                   ································C
  0.48 ┤
       └┬───────────────────┬───────────────────┬───────────────────┬──────────
        0.69                0.7529              0.8157              0.8786
                                                            left (test accuracy)

mean test accuracy by round, 0.1862 to 0.85
A  ▂▄▅▆▆▇▇▇██  0.2424 to 0.8500
B  ▁▃▃▄▅▅▅▅▆▆  0.1862 to 0.6500
C  ▁▃▄▅▅▆▆▆▆▆  0.2059 to 0.7000

objective weights by round, 0 to 1: left, right
A  ▄▄▄▄▄▃▃▃▃▃▃▃▃▃▃▃ 0.304   ▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▆ 0.691
B  ▄▄▄▄▄▃▃▃▃▃▃▃▃▃▃▃ 0.304   ▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▆ 0.691
C  ▄▄▄▄▄▃▃▃▃▃▃▃▃▃▃▃ 0.304   ▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▆ 0.691

ms per round  train  sketch_jacobian  server
A               500              125    62.5
B               500              125    62.5
C               500              125    62.5
)");
}

TEST(TerminalReport, SeedsGiveASpread) {
  const auto runs = sample_run_data(
      "terminal", {{.name = "a", .seed = 1, .final_accuracy = {0.8, 0.6}}, {.name = "b", .seed = 2, .final_accuracy = {0.9, 0.6}}});
  const std::string text = terminal_report(runs);
  EXPECT_THAT(text, HasSubstr(" 1,2  0.8500 ±0.0707  0.6000 ±0.0000  0.7250 ±0.0354"));
  EXPECT_THAT(text, HasSubstr("standard deviation over seeds"));
}

TEST(TerminalReport, ManyObjectivesAreMeanAndWorst) {
  const std::string text = terminal_report(
      sample_run_data("terminal", {{.name = "m", .objectives = {"a", "b", "c", "d", "e"}, .final_accuracy = {0.5, 0.4, 0.3, 0.2, 0.1}}}));
  EXPECT_THAT(text, HasSubstr("0.3000  0.1000"));
  EXPECT_THAT(text, HasSubstr("worst"));
}

TEST(TerminalReport, ManyObjectivesHaveATableOfTheirOwn) {
  std::vector<std::string> objectives;
  std::vector<double> accuracy;
  for (int k = 0; k < 40; ++k) {
    objectives.push_back("attribute" + std::to_string(k));
    accuracy.push_back(0.5 + 0.01 * k);
  }
  const auto runs =
      sample_run_data("terminal", {{.name = "m", .objectives = objectives, .final_accuracy = accuracy},
                                   {.name = "n", .strategy = "fsmgda", .objectives = objectives, .final_accuracy = accuracy}});
  const std::string text = terminal_report(runs);
  EXPECT_THAT(text, HasSubstr("test accuracy       A       B\nattribute0     0.5000  0.5000\n"));
  EXPECT_THAT(text, HasSubstr("objective weights at the end, the largest first\nA  attribute0 0.3"));
  EXPECT_LE(widest_line(text), 80u);
}

TEST(TerminalReport, StrategiesWithATradeOffHaveFronts) {
  const auto runs = sample_run_data("terminal", {{.name = "a", .final_accuracy = {0.9, 0.5}, .settings = "preference = [1, 2]\n"},
                                                 {.name = "b", .final_accuracy = {0.6, 0.8}, .settings = "preference = [2, 1]\n"}});
  EXPECT_THAT(terminal_report(runs), HasSubstr("front of  settings  on front  hypervolume  sparsity\n"
                                               "fedcmoo          2         2       0.0000    0.1800\n"));
  EXPECT_THAT(terminal_report(runs, {.reference = {0, 0.1}}), HasSubstr("hypervolume  sparsity\n"
                                                                        "fedcmoo          2         2       0.5400    0.1800\n"
                                                                        "hypervolume against (0, 0.1); higher is better\n"));
}

TEST(TerminalReport, ARunsOwnFrontIsInItsFrontAndItsPlot) {
  auto runs = sample_run_data(
      "terminal", {{.name = "a", .final_accuracy = {0.6, 0.6}}, {.name = "b", .strategy = "fedavg", .final_accuracy = {0.7, 0.3}}});
  runs[0].rows.back().front = {{"preferences", {{0, 1}, {0.5, 0.5}, {1, 0}}}, {"accuracy", {{0.2, 0.9}, {0.6, 0.6}, {0.9, 0.2}}}};
  const std::string text = terminal_report(runs, {.reference = {0, 0}});
  EXPECT_THAT(text, HasSubstr("fedcmoo          3         3       0.4800"));
  EXPECT_THAT(text, HasSubstr("A* fedcmoo      1  0.6000  0.6000")) << "the table has the run's own model";
  EXPECT_THAT(text, HasSubstr("A  ▁")) << "and so have the curves";
  const std::size_t begin = text.find("right (test accuracy)"), end = text.find("left (test accuracy)");
  const std::string plot = text.substr(begin, end - begin);
  EXPECT_EQ(std::count(plot.begin(), plot.end(), 'A'), 3);
  EXPECT_EQ(std::count(plot.begin(), plot.end(), 'B'), 1);
}

TEST(TerminalReport, UnlikeUnitsHaveNoMeanAndNoWorst) {
  std::vector<SampleRun> samples = {{.name = "a", .unlike_units = {"accuracy"}}};
  std::string text = terminal_report(sample_run_data("terminal", samples));
  EXPECT_THAT(text, Not(HasSubstr("mean")));
  EXPECT_THAT(text, HasSubstr("\ntest accuracy of left by round, "));
  EXPECT_THAT(text, HasSubstr("\ntest accuracy of right by round, "));
  samples[0].objectives = {"a", "b", "c", "d", "e"};
  samples[0].final_accuracy = {0.5, 0.4, 0.3, 0.2, 0.1};
  text = terminal_report(sample_run_data("terminal", samples));
  EXPECT_THAT(text, Not(HasSubstr("mean")));
  EXPECT_THAT(text, Not(HasSubstr("worst")));
}

TEST(TerminalReport, TellsTheCompressorsError) {
  auto runs = sample_run_data("terminal", {{.name = "a", .rounds = 2}, {.name = "b", .strategy = "fedavg", .rounds = 2}});
  EXPECT_THAT(terminal_report(runs), Not(HasSubstr("nRMSE")));
  for (RecordedRound& row : runs[0].rows) row.metrics["gramian_nrmse"] = {0.0179};
  EXPECT_THAT(terminal_report(runs), HasSubstr("1.79 %"));
}

TEST(TerminalReport, NamesThatAreCutFollowInFull) {
  std::vector<SampleRun> samples;
  for (const char* name : {"a", "b"}) {
    samples.push_back({.name = name,
                       .objectives = {"first", "second", "third", "fourth"},
                       .final_accuracy = {0.9, 0.8, 0.7, 0.6},
                       .settings = "[strategy.solver]\nname = \"a_solver_of_a_rather_long_name_" + std::string(name) + "\"\n"});
  }
  const std::string text = terminal_report(sample_run_data("terminal", samples), {.width = 60});
  EXPECT_THAT(text, HasSubstr("\nA: solver=a_solver_of_a_rather_long_name_a\nB: solver=a_solver_of_a_rather_long_name_b\n"));
}

TEST(TerminalReport, KeepsToItsWidth) {
  std::vector<SampleRun> samples;
  for (int i = 0; i < 8; ++i) {
    const std::string settings = "lambda = [0." + std::to_string(i) + "123456789, 0.5]\n";
    for (int seed = 1; seed <= 2; ++seed) {
      samples.push_back({.name = std::to_string(10 * i + seed),
                         .strategy = "a_strategy_of_a_long_name",
                         .seed = seed,
                         .rounds = 2,
                         .final_accuracy = {0.5 + 0.03 * i, 0.9 - 0.02 * i + 0.01 * seed},
                         .settings = settings});
    }
  }
  const auto runs = sample_run_data("terminal", samples);
  for (const std::size_t width : {60u, 80u, 120u}) EXPECT_LE(widest_line(terminal_report(runs, {.width = width})), width);
}

TEST(TerminalReport, ColoursOnlyWhereAsked) {
  const auto runs = sample_run_data("terminal", {{.name = "a"}});
  EXPECT_THAT(terminal_report(runs), Not(HasSubstr("\033")));
  EXPECT_THAT(terminal_report(runs, {.color = true}), HasSubstr("\033[1;34mA\033[0m"));
}

TEST(TextTable, DropsColumnsByRankAndCutsTheFirst) {
  const std::vector<TextColumn> columns = {
      {.title = "name", .cells = {"a rather long name"}, .left_aligned = true, .keep = TextColumn::kAlways},
      {.title = "x", .cells = {"1"}, .keep = 2},
      {.title = "y", .cells = {"22"}, .keep = 1}};
  EXPECT_EQ(text_table(columns, 80), "name                x   y\na rather long name  1  22\n");
  EXPECT_EQ(text_table(columns, 22), "name                x\na rather long name  1\n");
  EXPECT_EQ(text_table(columns, 10), "name\na rather …\n");
}

}  // namespace
}  // namespace paretofl
