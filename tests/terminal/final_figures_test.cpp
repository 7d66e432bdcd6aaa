#include "paretofl/terminal/final_figures.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FinalFigures : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }
  RunData load(const SampleRun& run) const { return load_run(write_sample_run(folder_, run)); }

  fs::path folder_ = fs::temp_directory_path() / ("paretofl_final_figures_" + std::to_string(::getpid()));
};

TEST_F(FinalFigures, ATableOfTheTestFiguresThenBytesAndSeconds) {
  const std::string text = final_figures(load({.name = "run"}), 80);
  EXPECT_THAT(text, testing::StartsWith("fedcmoo on glyphs, seed 1, after 20 rounds:\n"
                                        "test      accuracy    loss\n"
                                        "(better)    higher   lower\n"
                                        "left        0.9000  0."));
  EXPECT_THAT(text, HasSubstr("\nright       0.8000  "));
  EXPECT_THAT(text, HasSubstr("upload 20.0 MB, download 30.0 MB; 12.5 s of wall time, "));
}

TEST_F(FinalFigures, OfFiguresOfTheWholeItSaysWhichAreBetter) {
  const std::string text = test_figures({}, {}, {{"rmse/price", 10}, {"accuracy/sold", 0.75}, {"response_length", 12}}, 80);
  EXPECT_EQ(text, "accuracy/sold: 0.7500 (higher is better)\nresponse_length: 12.000\nrmse/price: 10.000 (lower is better)\n");
}

TEST_F(FinalFigures, ARunsOwnFrontIsATable) {
  RunData run = load({.name = "run"});
  run.rows.back().front = {{"preferences", {{0, 1}, {0.25, 0.75}}}, {"return", {{1, -2}, {3, NAN}}}, {"scalarized_return", {{-2}, {0.5}}}};
  EXPECT_THAT(final_figures(run, 80), HasSubstr("front at    return left  return right  scalarized_return\n"
                                                "0, 1             1.0000       -2.0000            -2.0000\n"
                                                "0.25, 0.75       3.0000             -             0.5000\n"
                                                "upload "));
  auto front = run.rows.back().front;
  for (auto& [metric, models] : front) models.insert(models.begin() + 1, 28, models.front());
  EXPECT_THAT(front_figures(run.objectives, front, 80), HasSubstr("\n0.25, 0.75       3.0000             -             0.5000\n"
                                                                  "12 of 30 points; the report has all\n"));
  EXPECT_EQ(front_figures({"a", "b", "c", "d", "e"}, front, 80), "front: 30 points; the report has them\n");
  EXPECT_EQ(front_figures(run.objectives, {}, 80), "");
}

TEST_F(FinalFigures, SaysWhatWasLateAndHowLongItTookByTheSimulatedClock) {
  RunData run = load({.name = "run"});
  EXPECT_THAT(final_figures(run, 80), testing::Not(HasSubstr("late")));
  run.rows[1].late = 2;
  run.rows[2].late = 3;
  for (RecordedRound& row : run.rows) row.simulated_seconds = 2;
  EXPECT_THAT(final_figures(run, 80), HasSubstr(" of CPU time; 5 late replies; 40.0 s simulated\n"));
}

TEST_F(FinalFigures, OfManyObjectivesTheFirstRowsAreShown) {
  SampleRun many{.name = "many", .objectives = {}, .final_accuracy = {}};
  for (int k = 0; k < 40; ++k) {
    many.objectives.push_back("attribute_" + std::to_string(k));
    many.final_accuracy.push_back(0.5);
  }
  const std::string text = final_figures(load(many), 44);
  EXPECT_THAT(text, HasSubstr("attribute_11 "));
  EXPECT_THAT(text, testing::Not(HasSubstr("attribute_12 ")));
  EXPECT_THAT(text, HasSubstr("and 28 more objectives; the report has all\n"));
}

TEST_F(FinalFigures, TheNextCommandFitsTheRun) {
  const RunData run = load({.name = "a run"});
  EXPECT_EQ(next_command(run), "paretofl report --terminal '" + (folder_ / "a run").string() + "'");
  fs::create_directories(folder_ / "a run" / "model");
  std::ofstream(folder_ / "a run" / "model" / "adapter_config.json") << "{}";
  EXPECT_THAT(next_command(run), testing::StartsWith("paretofl generate --adapter '" + (folder_ / "a run" / "model").string() + "' "));
}

}  // namespace
}  // namespace paretofl
