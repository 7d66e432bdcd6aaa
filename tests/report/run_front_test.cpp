#include "paretofl/report/run_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const RunFront& front) {
  std::vector<std::string> found;
  for (const RunData* run : front.runs) found.push_back(run->name);
  return found;
}

/// The front of runs that have one.
RunFront one_front(const std::vector<RunData>& runs, const std::string& metric) {
  const RunFronts fronts = run_fronts(compare(runs)[0], metric);
  EXPECT_EQ(fronts.fronts.size(), 1u);
  return fronts.fronts.at(0);
}

TEST(RunFront, FiguresThatNoDoubleHoldsAreUnknown) {
  const auto runs = sample_run_data("run_front", {{.name = "a", .final_accuracy = {1e200, 0}},
                                                  {.name = "b", .seed = 2, .final_accuracy = {0, 1e200}},
                                                  {.name = "c", .seed = 3, .final_accuracy = {-1, -1}}});
  const RunFront front = one_front(runs, "accuracy");
  EXPECT_EQ(front.runs.size(), 2U);
  EXPECT_TRUE(std::isnan(front.hypervolume));
  EXPECT_TRUE(std::isnan(front.sparsity));
}

TEST(RunFront, IsOverAllRunsSeedsApart) {
  const auto runs = sample_run_data("run_front", {{.name = "a", .seed = 1, .final_accuracy = {0.9, 0.5}},
                                                  {.name = "b", .seed = 2, .final_accuracy = {0.8, 0.4}},
                                                  {.name = "c", .strategy = "fsmgda", .final_accuracy = {0.6, 0.7}}});
  const RunFront front = one_front(runs, "accuracy");
  EXPECT_THAT(names(front), ElementsAre("a", "c"));
  EXPECT_THAT(run_fronts(compare(runs)[0], "accuracy").reference, ElementsAre(0.6, 0.4));
  EXPECT_NEAR(front.hypervolume, 0.3 * 0.1, 1e-12) << "c is at the edge of the reference box";
  EXPECT_EQ(front.cardinality, 2u);
  EXPECT_NEAR(front.sparsity, 0.09 + 0.04, 1e-12);
}

TEST(RunFronts, SeedsOfDifferentProblemsHaveFrontsOfTheirOwn) {
  const auto sample = [](const std::string& name, const std::string& strategy, int seed, std::vector<double> accuracy) {
    return SampleRun{.name = name, .strategy = strategy, .seed = seed, .final_accuracy = std::move(accuracy), .seed_changes_problem = true};
  };
  // Seed 2 is the harder problem: by the values of seed 1, c and d would be dominated.
  auto runs = sample_run_data("run_front", {sample("a", "fedcmoo", 1, {0.9, 0.5}), sample("b", "fsmgda", 1, {0.6, 0.4}),
                                            sample("c", "fedcmoo", 2, {0.3, 0.2}), sample("d", "fsmgda", 2, {0.1, 0.4})});
  const RunFronts fronts = run_fronts(compare(runs)[0], "accuracy");
  ASSERT_EQ(fronts.fronts.size(), 2u);
  EXPECT_EQ(fronts.fronts[0].seed, "1");
  EXPECT_THAT(names(fronts.fronts[0]), ElementsAre("a"));
  EXPECT_THAT(names(fronts.fronts[1]), ElementsAre("c", "d"));
  EXPECT_THAT(fronts.reference, ElementsAre(0.1, 0.2)) << "one for all";
  EXPECT_NEAR(fronts.hypervolume().mean, 0.8 * 0.3 / 2, 1e-12) << "c and d are at the edges of the box";
  EXPECT_NEAR(fronts.hypervolume().spread, 0.8 * 0.3 / std::sqrt(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(fronts.cardinality().mean, 1.5);
  EXPECT_TRUE(fronts.has(runs[2]));
  EXPECT_FALSE(fronts.has(runs[1]));

  for (RunData& run : runs) run.seed_changes_problem.reset();
  EXPECT_EQ(run_fronts(compare(runs)[0], "accuracy").fronts.size(), 2u) << "nor where that is unknown";
}

TEST(RunFronts, TheReferenceCanBeGiven) {
  const auto runs = sample_run_data(
      "run_front", {{.name = "a", .final_accuracy = {0.9, 0.5}}, {.name = "b", .strategy = "fsmgda", .final_accuracy = {0.6, 0.7}}});
  const Comparison comparison = compare(runs)[0];
  const RunFronts fronts = run_fronts(comparison, "accuracy", {0, 0});
  EXPECT_THAT(fronts.reference, ElementsAre(0, 0));
  EXPECT_NEAR(fronts.hypervolume().mean, 0.9 * 0.5 + 0.6 * 0.2, 1e-12);
  EXPECT_THAT(run_fronts(comparison, "loss", {0, 0}).reference, testing::Not(ElementsAre(0, 0))) << "it is in the first metric's units";
  EXPECT_THAT([&] { run_fronts(comparison, "accuracy", {0}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("reference point: expected 2 numbers for glyphs, found 1")));
}

TEST(RunFront, LossesAreMinimized) {
  auto runs = sample_run_data("run_front", {{.name = "a"}, {.name = "b", .strategy = "fsmgda"}});
  runs[0].test["loss"] = {1, 2};
  runs[1].test["loss"] = {3, 4};
  const RunFront front = one_front(runs, "loss");
  EXPECT_THAT(names(front), ElementsAre("a"));
  EXPECT_DOUBLE_EQ(front.hypervolume, 4);
}

TEST(RunFront, RunsWithoutAValueAreLeftOut) {
  auto runs = sample_run_data("run_front", {{.name = "a"}, {.name = "b", .strategy = "fsmgda"}});
  runs[0].test["accuracy"][1] = NAN;
  runs[1].test.erase("accuracy");
  EXPECT_TRUE(run_fronts(compare(runs)[0], "accuracy").fronts.empty());
  EXPECT_TRUE(front_qualities(compare(runs)[0], "accuracy").empty());
}

TEST(RunFront, ManyObjectivesHaveNoHypervolume) {
  const std::vector<std::string> objectives = {"a", "b", "c", "d", "e", "f", "g"};
  const auto runs = sample_run_data("run_front", {{.name = "a", .objectives = objectives, .final_accuracy = std::vector<double>(7, 0.5)}});
  EXPECT_TRUE(std::isnan(one_front(runs, "accuracy").hypervolume));
  EXPECT_EQ(one_front(runs, "accuracy").cardinality, 1u);
}

TEST(FrontQualities, AreOfEachStrategyOneFrontPerSeed) {
  const std::string first = "preference = [1, 2]\n", second = "preference = [2, 1]\n";
  const auto runs = sample_run_data("run_front", {{.name = "a", .seed = 1, .final_accuracy = {0.9, 0.5}, .settings = first},
                                                  {.name = "b", .seed = 2, .final_accuracy = {0.9, 0.6}, .settings = first},
                                                  {.name = "c", .seed = 1, .final_accuracy = {0.6, 0.8}, .settings = second},
                                                  {.name = "d", .seed = 2, .final_accuracy = {0.6, 0.8}, .settings = second},
                                                  {.name = "e", .strategy = "fsmgda", .seed = 1, .final_accuracy = {0.5, 0.4}}});
  const auto qualities = front_qualities(compare(runs)[0], "accuracy");
  ASSERT_EQ(qualities.size(), 2u);
  EXPECT_EQ(qualities[0].strategy, "fedcmoo");
  EXPECT_EQ(qualities[0].groups, 2u);
  // Against (0.5, 0.4): boxes 0.4 x 0.1 and 0.1 x 0.4 overlap in 0.1 x 0.1; with seed 2, 0.4 x 0.2.
  EXPECT_NEAR(qualities[0].hypervolume.mean, (0.07 + 0.10) / 2, 1e-12);
  EXPECT_NEAR(qualities[0].hypervolume.spread, 0.03 / std::sqrt(2.0), 1e-12);
  EXPECT_EQ(qualities[0].cardinality.mean, 2);
  EXPECT_EQ(qualities[1].hypervolume.mean, 0);
}

TEST(FrontQualities, AreAgainstTheReferenceGiven) {
  const auto runs = sample_run_data("run_front", {{.name = "a", .final_accuracy = {0.9, 0.5}, .settings = "preference = [1, 2]\n"},
                                                  {.name = "b", .final_accuracy = {0.6, 0.7}, .settings = "preference = [2, 1]\n"}});
  EXPECT_NEAR(front_qualities(compare(runs)[0], "accuracy", {0, 0})[0].hypervolume.mean, 0.9 * 0.5 + 0.6 * 0.2, 1e-12);
}

TEST(FrontQualities, NoneWithoutATradeOff) {
  const auto runs = sample_run_data("run_front", {{.name = "a"}, {.name = "b", .strategy = "fsmgda"}});
  EXPECT_TRUE(front_qualities(compare(runs)[0], "accuracy").empty());
}

}  // namespace
}  // namespace paretofl
