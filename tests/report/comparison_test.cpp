#include "paretofl/report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

TEST(Estimate, MeanAndSampleDeviation) {
  const Estimate two = estimate({1, 3});
  EXPECT_EQ(two.mean, 2);
  EXPECT_DOUBLE_EQ(two.spread, std::sqrt(2.0));
  EXPECT_TRUE(std::isnan(estimate({5}).spread));
  EXPECT_TRUE(std::isnan(estimate({}).mean));
  EXPECT_TRUE(std::isnan(estimate({NAN, 4}).mean)) << "the mean of those that survived says nothing";
  EXPECT_TRUE(std::isnan(estimate({INFINITY, 4}).mean));
}

TEST(Comparison, SeedsAreOneRow) {
  const auto runs = sample_run_data(
      "comparison", {{.name = "s1", .seed = 1, .final_accuracy = {0.8, 0.6}}, {.name = "s2", .seed = 2, .final_accuracy = {0.9, 0.6}}});
  const auto comparisons = compare(runs);
  ASSERT_EQ(comparisons.size(), 1u);
  ASSERT_EQ(comparisons[0].groups.size(), 1u);
  const RunGroup& group = comparisons[0].groups[0];
  EXPECT_EQ(group.label, "fedcmoo");
  EXPECT_DOUBLE_EQ(group.test("accuracy")[0].mean, 0.85);
  EXPECT_DOUBLE_EQ(group.test_mean("accuracy").mean, 0.725);
  EXPECT_NEAR(group.test_mean("accuracy").spread, 0.05 / std::sqrt(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(group.bytes_up().mean, 2e7);
}

TEST(Comparison, SettingsTellTheRowsOfAStrategyApart) {
  const auto runs = sample_run_data(
      "comparison", {{.name = "a", .strategy = "fedavg", .settings = "lambda = [0.3, 0.7]\n"},
                     {.name = "b", .strategy = "fedavg", .settings = "lambda = [0.5, 0.5]\n[strategy.solver]\nname = \"fixed\"\n"},
                     {.name = "c"}});
  const auto groups = compare(runs)[0].groups;
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].label, "fedavg lambda=[0.3, 0.7]");
  EXPECT_EQ(groups[1].label, "fedavg lambda=[0.5, 0.5] solver=fixed");
  EXPECT_EQ(groups[2].label, "fedcmoo");
  EXPECT_EQ(groups[0].strategy_index, groups[1].strategy_index);
  EXPECT_NE(groups[0].variant, groups[1].variant);
  EXPECT_EQ(groups[2].strategy_index, 1u);
}

TEST(Comparison, MarksTheFront) {
  const auto runs = sample_run_data("comparison", {{.name = "a", .strategy = "a", .final_accuracy = {0.9, 0.5}},
                                                   {.name = "b", .strategy = "b", .final_accuracy = {0.8, 0.6}},
                                                   {.name = "c", .strategy = "c", .final_accuracy = {0.8, 0.5}}});
  const Comparison comparison = compare(runs)[0];
  EXPECT_EQ(comparison.metric, "accuracy");
  EXPECT_TRUE(comparison.groups[0].on_front);
  EXPECT_TRUE(comparison.groups[1].on_front);
  EXPECT_FALSE(comparison.groups[2].on_front);
}

TEST(Comparison, SeedsOfDifferentProblemsDominateNoOther) {
  const auto rows = [](bool seed_changes_problem, int second_seed) {
    return compare(sample_run_data("comparison", {{.name = "a", .final_accuracy = {0.9, 0.9}, .seed_changes_problem = seed_changes_problem},
                                                  {.name = "b",
                                                   .strategy = "fsmgda",
                                                   .seed = second_seed,
                                                   .final_accuracy = {0.5, 0.5},
                                                   .seed_changes_problem = seed_changes_problem}}))[0]
        .groups;
  };
  EXPECT_TRUE(rows(true, 2)[1].on_front);
  EXPECT_FALSE(rows(false, 2)[1].on_front);
  EXPECT_FALSE(rows(true, 1)[1].on_front) << "the same problem";
}

TEST(Comparison, UnlikeUnitsHaveNoMean) {
  const auto runs = sample_run_data("comparison", {{.name = "a", .unlike_units = {"accuracy"}}});
  const Comparison comparison = compare(runs)[0];
  EXPECT_FALSE(comparison.shares_unit("accuracy"));
  EXPECT_TRUE(comparison.shares_unit("loss"));
  EXPECT_TRUE(std::isnan(comparison.groups[0].test_mean("accuracy").mean));
  EXPECT_TRUE(std::isfinite(comparison.groups[0].test_mean("loss").mean));
}

TEST(Comparison, OneForEveryWorkload) {
  const auto runs = sample_run_data(
      "comparison", {{.name = "a"}, {.name = "b", .workload = "other", .objectives = {"x", "y", "z"}, .final_accuracy = {1, 1, 1}}});
  const auto comparisons = compare(runs);
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[1].workload, "other");
  EXPECT_EQ(comparisons[1].objectives.size(), 3u);
}

TEST(Comparison, OneForEveryEnvironmentThatAWorkloadHas) {
  const std::string convex = "environment = \"deep-sea-treasure-v0\"\n", concave = "environment = \"deep-sea-treasure-concave-v0\"\n";
  const auto runs = sample_run_data("comparison", {{.name = "a", .final_accuracy = {0.9, 0.9}, .problem = convex},
                                                   {.name = "b", .final_accuracy = {0.1, 0.1}, .problem = concave},
                                                   {.name = "c", .strategy = "fsmgda", .final_accuracy = {0.2, 0.2}, .problem = convex}});
  const auto comparisons = compare(runs);
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0].title, "glyphs, deep-sea-treasure-v0");
  EXPECT_EQ(comparisons[0].groups.size(), 2u);
  EXPECT_EQ(comparisons[1].title, "glyphs, deep-sea-treasure-concave-v0");
  EXPECT_EQ(comparisons[1].groups.at(0).label, "fedcmoo") << "the title has the environment";
  EXPECT_TRUE(comparisons[1].groups[0].on_front) << "no figure of another environment beats it";
  EXPECT_EQ(compare(sample_run_data("comparison", {{.name = "a", .problem = convex}}))[0].title, "glyphs") << "which is alone";
}

TEST(Comparison, OtherFilesTasksAndRewardsAreOtherProblemsAndNumbersAreNot) {
  const auto titles = [](const std::string& one, const std::string& other) {
    std::vector<std::string> found;
    for (const Comparison& comparison :
         compare(sample_run_data("comparison", {{.name = "a", .problem = one}, {.name = "b", .problem = other}}))) {
      found.push_back(comparison.title);
    }
    return found;
  };
  using testing::ElementsAre;
  EXPECT_THAT(titles("files = \"a.csv\"\n", "files = \"b.csv\"\n"), ElementsAre("glyphs, files=a.csv", "glyphs, files=b.csv"));
  EXPECT_THAT(titles("[workload.tasks.mine]\nname = \"sums\"\n", "[workload.tasks.mine]\nname = \"expressions\"\n"),
              ElementsAre("glyphs, mine=sums", "glyphs, mine=expressions"));
  EXPECT_THAT(titles("[workload.rewards.good]\nname = \"format\"\n", "[workload.rewards.good]\nname = \"length\"\n"),
              ElementsAre("glyphs, good=format", "glyphs, good=length"));
  EXPECT_THAT(titles("[workload.tasks.mine]\nname = \"sums\"\ntest_questions = 5\n", "[workload.tasks.mine]\nname = \"sums\"\n"),
              ElementsAre("glyphs"));
  EXPECT_THAT(titles("clients = 5\nmodel = \"lenet\"\n", "clients = 10\nmodel = \"mlp\"\n"), ElementsAre("glyphs"));
  EXPECT_THAT(titles("test_files = \"\"\n", ""), ElementsAre("glyphs")) << "an older config lacks what is empty by default";
}

TEST(Comparison, OneForEveryListOfObjectives) {
  auto runs = sample_run_data(
      "comparison",
      {{.name = "a"}, {.name = "b", .objectives = {"x", "y", "z"}, .final_accuracy = {1, 1, 1}}, {.name = "c", .strategy = "fsmgda"}});
  const auto comparisons = compare(runs);
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0].title, "glyphs, 2 objectives");
  EXPECT_EQ(comparisons[0].groups.size(), 2u);
  EXPECT_EQ(comparisons[1].title, "glyphs, 3 objectives");
}

TEST(Comparison, OneStrategysRowsAreCalledAfterTheirSettings) {
  const auto runs = sample_run_data("comparison", {{.name = "a", .settings = "preference = [0.333333, 0.666667]\n"},
                                                   {.name = "b", .settings = "preference = [0.9, 0.1]\n"}});
  const auto groups = compare(runs)[0].groups;
  EXPECT_EQ(groups[0].label, "preference=[0.333, 0.667]");
  EXPECT_EQ(groups[1].label, "preference=[0.9, 0.1]");
  const auto close = sample_run_data("comparison", {{.name = "a", .settings = "preference = [0.33331, 1.0]\n"},
                                                    {.name = "b", .settings = "preference = [0.33332, 1.0]\n"}});
  EXPECT_EQ(compare(close)[0].groups[1].label, "preference=[0.33332, 1.0]") << "in full where the short ones are alike";
}

TEST(Comparison, WhatShapesResultsTellsRowsApart) {
  const auto runs = sample_run_data("comparison", {{.name = "a"}, {.name = "b", .seed = 2}, {.name = "c"}});
  auto changed = runs;
  changed[1].keys["runtime.threads"] = "64";
  changed[2].keys["runtime.dropout_rate"] = "0.5";
  const auto groups = compare(changed)[0].groups;
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].runs.size(), 2u);
  EXPECT_EQ(groups[1].label, "dropout_rate=0.5");
}

TEST(Comparison, MeanOfAStrategysOwnFigure) {
  auto runs = sample_run_data("comparison", {{.name = "a", .rounds = 2}, {.name = "b", .seed = 2, .rounds = 2}});
  runs[0].rows[0].metrics["error"] = {0.1};
  runs[0].rows[1].metrics["error"] = {0.3};
  runs[1].rows[1].metrics["error"] = {0.4};
  const auto groups = compare(runs)[0].groups;
  EXPECT_DOUBLE_EQ(groups[0].metric_mean("error").mean, 0.3);
  EXPECT_TRUE(std::isnan(groups[0].metric_mean("absent").mean));
}

TEST(Comparison, ARunWithoutResultsHasNone) {
  auto runs = sample_run_data("comparison", {{.name = "a"}, {.name = "b", .strategy = "fsmgda", .finished = false}});
  runs[1].rows.clear();
  runs[1].test.clear();
  runs[1].objectives.clear();
  const Comparison comparison = compare(runs)[0];
  EXPECT_TRUE(std::isnan(comparison.groups[1].test_mean("accuracy").mean));
  EXPECT_FALSE(comparison.groups[1].on_front);
  EXPECT_TRUE(comparison.groups[0].on_front);
}

TEST(Comparison, ASeedTwiceIsNoSpread) {
  const auto runs = sample_run_data("comparison", {{.name = "a"}, {.name = "again"}, {.name = "b", .seed = 2}});
  const auto groups = compare(runs)[0].groups;
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].runs, testing::ElementsAre(&runs[0], &runs[2]));
  EXPECT_THAT(groups[1].runs, testing::ElementsAre(&runs[1]));
  EXPECT_EQ(groups[0].label, "fedcmoo");
  EXPECT_EQ(groups[1].label, "fedcmoo (2)");
}

TEST(Comparison, ASeedThatDivergedIsNotLeftOut) {
  auto runs = sample_run_data("comparison", {{.name = "a"}, {.name = "b", .seed = 2}, {.name = "c", .seed = 3, .finished = false}});
  runs[1].test["loss"][0] = NAN;
  runs[2].test.clear();
  const RunGroup group = compare(runs)[0].groups.at(0);
  EXPECT_TRUE(std::isnan(group.test("loss")[0].mean));
  EXPECT_TRUE(std::isnan(group.test_mean("loss").mean));
  EXPECT_TRUE(std::isfinite(group.test("loss")[1].mean)) << "a run that was not evaluated yet is no divergence";
}

TEST(Comparison, LossesAreMinimized) {
  EXPECT_EQ(direction_of("loss"), Direction::kMinimize);
  EXPECT_EQ(direction_of("mean_squared_error"), Direction::kMinimize);
  EXPECT_EQ(direction_of("accuracy"), Direction::kMaximize);
  EXPECT_EQ(direction_of("return"), Direction::kMaximize);
  for (const char* lower : {"rmse/price", "val/loss", "val/rmse", "stationarity", "fine_tuned_scalarized_loss", "kl"})
    EXPECT_EQ(known_direction(lower), Direction::kMinimize) << lower;
  for (const char* higher : {"accuracy_sums", "reward/length/test", "scalarized_return"})
    EXPECT_EQ(known_direction(higher), Direction::kMaximize) << higher;
  for (const char* neither : {"response_length", "questions_left_out", "my_metric", "rejected_reward/brief"})
    EXPECT_EQ(known_direction(neither), std::nullopt) << neither;
}

/// Two seeds of each, of which one failed in the second row: a mean over the other seed alone dominates no mean over both.
TEST(Comparison, SeedsThatFailedDoNotMakeRowsComparable) {
  auto runs = sample_run_data("comparison", {{.name = "a1", .strategy = "a", .seed = 1, .final_accuracy = {0.5, 0.5}},
                                             {.name = "a2", .strategy = "a", .seed = 2, .final_accuracy = {0.6, 0.6}},
                                             {.name = "b1", .strategy = "b", .seed = 1, .final_accuracy = {0.9, 0.9}},
                                             {.name = "b2", .strategy = "b", .seed = 2, .final_accuracy = {0.4, 0.4}}});
  for (RunData& run : runs) run.seed_changes_problem = true;
  EXPECT_FALSE(compare(runs)[0].groups[0].on_front);
  runs[3].test.clear();
  EXPECT_TRUE(compare(runs)[0].groups[0].on_front);
}

}  // namespace
}  // namespace paretofl
