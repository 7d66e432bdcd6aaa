#include "paretofl/report/run_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

std::vector<RunData> load(const std::vector<SampleRun>& samples) {
  std::vector<RunData> runs;
  for (const SampleRun& sample : samples) {
    runs.push_back(load_run(write_sample_run(std::filesystem::path(testing::TempDir()) / "run_front", sample)));
  }
  return runs;
}

std::vector<std::string> names(const RunFront& front) {
  std::vector<std::string> found;
  for (const RunData* run : front.runs) found.push_back(run->name);
  return found;
}

TEST(RunFront, FiguresThatNoDoubleHoldsAreUnknown) {
  const auto runs = load({{.name = "a", .final_accuracy = {1e200, 0}},
                          {.name = "b", .seed = 2, .final_accuracy = {0, 1e200}},
                          {.name = "c", .seed = 3, .final_accuracy = {-1, -1}}});
  const RunFront front = run_front(compare(runs)[0], "accuracy");
  EXPECT_EQ(front.runs.size(), 2U);
  EXPECT_TRUE(std::isnan(front.hypervolume));
  EXPECT_TRUE(std::isnan(front.sparsity));
}

TEST(RunFront, IsOverAllRunsSeedsApart) {
  const auto runs = load({{.name = "a", .seed = 1, .final_accuracy = {0.9, 0.5}},
                          {.name = "b", .seed = 2, .final_accuracy = {0.8, 0.4}},
                          {.name = "c", .strategy = "fsmgda", .final_accuracy = {0.6, 0.7}}});
  const RunFront front = run_front(compare(runs)[0], "accuracy");
  EXPECT_THAT(names(front), ElementsAre("a", "c"));
  EXPECT_THAT(front.reference, ElementsAre(0.6, 0.4));
  EXPECT_NEAR(front.hypervolume, 0.3 * 0.1, 1e-12) << "c is at the edge of the reference box";
  EXPECT_EQ(front.cardinality, 2u);
  EXPECT_NEAR(front.sparsity, 0.09 + 0.04, 1e-12);
}

TEST(RunFront, LossesAreMinimized) {
  auto runs = load({{.name = "a"}, {.name = "b", .strategy = "fsmgda"}});
  runs[0].test["loss"] = {1, 2};
  runs[1].test["loss"] = {3, 4};
  const RunFront front = run_front(compare(runs)[0], "loss");
  EXPECT_THAT(names(front), ElementsAre("a"));
  EXPECT_DOUBLE_EQ(front.hypervolume, 4);
}

TEST(RunFront, RunsWithoutAValueAreLeftOut) {
  auto runs = load({{.name = "a"}, {.name = "b", .strategy = "fsmgda"}});
  runs[0].test["accuracy"][1] = NAN;
  runs[1].test.erase("accuracy");
  EXPECT_TRUE(run_front(compare(runs)[0], "accuracy").runs.empty());
  EXPECT_TRUE(front_qualities(compare(runs)[0], "accuracy").empty());
}

TEST(RunFront, ManyObjectivesHaveNoHypervolume) {
  const std::vector<std::string> objectives = {"a", "b", "c", "d", "e", "f", "g"};
  const auto runs = load({{.name = "a", .objectives = objectives, .final_accuracy = std::vector<double>(7, 0.5)}});
  EXPECT_TRUE(std::isnan(run_front(compare(runs)[0], "accuracy").hypervolume));
  EXPECT_EQ(run_front(compare(runs)[0], "accuracy").cardinality, 1u);
}

TEST(FrontQualities, AreOfEachStrategyOneFrontPerSeed) {
  const std::string first = "preference = [1, 2]\n", second = "preference = [2, 1]\n";
  const auto runs = load({{.name = "a", .seed = 1, .final_accuracy = {0.9, 0.5}, .settings = first},
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

TEST(FrontQualities, NoneWithoutATradeOff) {
  const auto runs = load({{.name = "a"}, {.name = "b", .strategy = "fsmgda"}});
  EXPECT_TRUE(front_qualities(compare(runs)[0], "accuracy").empty());
}

}  // namespace
}  // namespace paretofl
