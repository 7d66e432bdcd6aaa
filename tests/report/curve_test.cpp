#include "paretofl/report/curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace paretofl {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kObjectives = {"left", "right"};

RecordedRound row(int round, std::vector<double> losses, std::vector<double> lambda = {}) {
  RecordedRound result;
  result.round = round;
  result.bytes_up = 10;
  if (!losses.empty()) result.measured["train/loss"] = std::move(losses);
  result.lambda = std::move(lambda);
  return result;
}

RunGroup group_of(const std::vector<RunData>& runs) {
  RunGroup group;
  for (const RunData& run : runs) group.runs.push_back(&run);
  return group;
}

TEST(Curve, MeanLowestAndHighestOverTheRuns) {
  std::vector<RunData> runs(2);
  runs[0].rows = {row(1, {1, 5}), row(2, {2, 6})};
  runs[1].rows = {row(1, {3, 7}), row(2, {4, 8}), row(3, {0, 0})};
  const Curve curve = curves(group_of(runs), kObjectives).at("train/loss");
  EXPECT_THAT(curve.series, ElementsAre("left", "right", "mean"));
  EXPECT_THAT(curve.rounds, ElementsAre(1, 2));
  EXPECT_THAT(curve.bytes_up, ElementsAre(10, 20));
  EXPECT_THAT(curve.mean[0], ElementsAre(2, 3));
  EXPECT_THAT(curve.low[1], ElementsAre(5, 6));
  EXPECT_THAT(curve.high[2], ElementsAre(5, 6));
}

TEST(Curve, UnlikeUnitsHaveNoMean) {
  std::vector<RunData> runs(1);
  runs[0].rows = {row(1, {1, 5}), row(2, {2, 6})};
  runs[0].unlike_units = {"loss"};
  EXPECT_THAT(curves(group_of(runs), kObjectives).at("train/loss").series, ElementsAre("left", "right"));
}

TEST(Curve, LambdaHasNoMean) {
  std::vector<RunData> runs(1);
  runs[0].rows = {row(1, {}, {0.25, 0.75})};
  const auto found = curves(group_of(runs), kObjectives);
  EXPECT_THAT(found.at("lambda").series, ElementsAre("left", "right"));
  EXPECT_FALSE(found.contains("train/loss"));
}

// What the clients uploaded in rounds without an evaluation counts for the next one.
TEST(Curve, CountsUploadsOfRoundsWithoutTheQuantity) {
  std::vector<RunData> runs(1);
  runs[0].rows = {row(1, {}), row(2, {}), row(3, {1, 2})};
  const Curve curve = curves(group_of(runs), kObjectives).at("train/loss");
  EXPECT_THAT(curve.rounds, ElementsAre(3));
  EXPECT_THAT(curve.bytes_up, ElementsAre(30));
}

TEST(Curve, ThinsLongRunsAndKeepsBothEnds) {
  std::vector<RunData> runs(1);
  for (int round = 1; round <= 5000; ++round) runs[0].rows.push_back(row(round, {1, 2}));
  const Curve curve = curves(group_of(runs), kObjectives).at("train/loss");
  EXPECT_EQ(curve.rounds.size(), kMaxCurvePoints);
  EXPECT_EQ(curve.rounds.front(), 1);
  EXPECT_EQ(curve.rounds.back(), 5000);
}

TEST(Curve, KeepsFewerPointsOfManySeries) {
  std::vector<RunData> runs(1);
  for (int round = 1; round <= 1000; ++round) runs[0].rows.push_back(row(round, {}, std::vector<double>(40, 0.025)));
  const Curve curve = curves(group_of(runs), std::vector<std::string>(40, "x")).at("lambda");
  EXPECT_EQ(curve.rounds.size(), kMaxCurveNumbers / 40);
  EXPECT_EQ(curve.rounds.back(), 1000);
}

TEST(Curve, LeavesOutLongVectors) {
  std::vector<RunData> runs(1);
  runs[0].rows = {row(1, {})};
  runs[0].rows[0].metrics = {{"gramian", std::vector<double>(25, 1)}, {"gap", std::vector<double>(16, 1)}};
  const auto found = curves(group_of(runs), kObjectives);
  EXPECT_FALSE(found.contains("metrics/gramian"));
  EXPECT_TRUE(found.contains("metrics/gap"));
}

TEST(Curve, UnknownInOneRunIsUnknown) {
  std::vector<RunData> runs(2);
  runs[0].rows = {row(1, {NAN, 5})};
  runs[1].rows = {row(1, {3, 7})};
  const Curve curve = curves(group_of(runs), kObjectives).at("train/loss");
  EXPECT_TRUE(std::isnan(curve.mean[0][0]));
  EXPECT_EQ(curve.mean[1][0], 6);
  EXPECT_TRUE(std::isnan(curve.mean[2][0]));
}

TEST(Curve, NamesVectorsByIndex) {
  std::vector<RunData> runs(1);
  runs[0].rows = {row(1, {})};
  runs[0].rows[0].metrics = {{"gap", {1}}, {"steps", {4, 5, 6}}};
  const auto found = curves(group_of(runs), kObjectives);
  EXPECT_THAT(found.at("metrics/gap").series, ElementsAre(""));
  EXPECT_THAT(found.at("metrics/steps").series, ElementsAre("0", "1", "2"));
}

}  // namespace
}  // namespace paretofl
