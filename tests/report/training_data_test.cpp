#include "paretofl/report/training_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/report/curve.h"

namespace paretofl {
namespace {

using Json = nlohmann::json;

/// Two objectives; clients 3 and 7 in odd rounds, 3 and 5 in even ones. Client c's lambda of round t is (t, c).
RunData recorded_run(int rounds) {
  RunData run;
  run.objectives = {"left", "right"};
  for (int round = 1; round <= rounds; ++round) {
    RecordedRound& row = run.rows.emplace_back();
    row.round = round;
    const double other = round % 2 == 1 ? 7 : 5;
    row.metrics = {
        {"cohort", {3, other}}, {"client_lambda", {double(round), 3, double(round), other}}, {"client_kl", {0.5, 0.25}}, {"kl", {0.375}}};
  }
  return run;
}

TEST(TrainingData, HasEveryClientsFiguresWhereItTookPart) {
  const Json data = training_data(recorded_run(3));
  EXPECT_EQ(data["rounds"], Json({1, 2, 3}));
  EXPECT_EQ(data["clients"], Json({3.0, 5.0, 7.0}));
  const Json& lambda = data["figures"]["lambda"];
  EXPECT_EQ(lambda["series"], Json({"left", "right"}));
  EXPECT_EQ(lambda["measured"][0], Json::parse("[[1.0, 2.0, 3.0], [null, 2.0, null], [1.0, null, 3.0]]"));
  EXPECT_EQ(lambda["measured"][1][1], Json::parse("[null, 5.0, null]"));
  EXPECT_EQ(data["figures"]["kl"]["series"], Json({""}));
}

TEST(TrainingData, AnAverageForgetsHalfInItsHalfLife) {
  const Json data = training_data(recorded_run(50));
  const Json& smooth = data["figures"]["lambda"]["smooth"][0][0];
  const double keep = std::pow(0.5, 1.0 / 20);
  double sum = 0;
  double weight = 0;
  for (int round = 1; round <= 50; ++round) {
    sum += std::pow(keep, 50 - round) * round;
    weight += std::pow(keep, 50 - round);
  }
  EXPECT_NEAR(smooth.back().get<double>(), sum / weight, 0.01);
  EXPECT_EQ(smooth.front(), 1.0);
}

TEST(TrainingData, IsThinnedAndNullWithoutFiguresByClient) {
  const Json data = training_data(recorded_run(2000));
  EXPECT_EQ(data["rounds"].size(), 200U);
  EXPECT_EQ(data["rounds"].front(), 1);
  EXPECT_EQ(data["rounds"].back(), 2000);
  EXPECT_TRUE(training_data({}).is_null());
}

TEST(TrainingData, FiguresByClientAreNoCurves) {
  const RunData run = recorded_run(3);
  RunGroup group;
  group.runs = {&run};
  const auto found = curves(group, run.objectives);
  EXPECT_TRUE(found.contains("metrics/kl"));
  EXPECT_FALSE(found.contains("metrics/client_kl"));
  EXPECT_FALSE(found.contains("metrics/cohort"));
}

}  // namespace
}  // namespace paretofl
