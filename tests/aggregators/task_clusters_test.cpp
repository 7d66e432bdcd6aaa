#include "paretofl/aggregators/task_clusters.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::Pointwise;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

TEST(AccuracyShares, AreTheSoftmaxOfInverseWeights) {
  const std::vector<double> weights = {0.5, 0.25, 0.8};
  const double epsilon = 0.01;
  double sum = 0;
  std::vector<double> expected;
  for (const double w : weights) expected.push_back(std::exp(1 / (w + epsilon)));
  for (const double e : expected) sum += e;
  for (double& e : expected) e /= sum;
  EXPECT_THAT(accuracy_shares(weights, epsilon), Pointwise(DoubleNear(1e-14), expected));
}

TEST(AccuracyShares, DoNotOverflowWhereAWeightIsZero) {
  EXPECT_THAT(accuracy_shares(std::vector{0.0, 0.3, 1.0}, 1e-6), ElementsAre(1, 0, 0));
  EXPECT_THAT(accuracy_shares(std::vector{0.0, 0.0}, 1e-12), ElementsAre(0.5, 0.5));
  EXPECT_THAT(accuracy_shares(std::vector{1e-9, 0.0}, 1e-6), ElementsAre(testing::Lt(1e-300), 1));
  EXPECT_THAT(accuracy_shares(std::vector{0.4}, 1e-6), ElementsAre(1));
}

TEST(AccuracyShares, SmallerWeightsCountMore) {
  Random random({1, 0, 0}, "weights");
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> weights(5);
    for (double& w : weights) w = random.uniform();
    const std::vector<double> shares = accuracy_shares(weights, 1e-6);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
    for (std::size_t a = 0; a < 5; ++a) {
      for (std::size_t b = 0; b < 5; ++b) EXPECT_TRUE(weights[a] > weights[b] || shares[a] >= shares[b]);
    }
  }
}

TEST(TaskClusters, AggregateWithinByAccuracyAndAcrossByExamples) {
  const std::vector<RewardReport> reports = {{"math", "right", {{"right", 0.5}, {"format", 0.5}}, 30},
                                             {"code", "passes", {{"passes", 0.7}, {"length", 0.3}}, 20},
                                             {"math", "right", {{"right", 0.8}, {"tags", 0.2}}, 10}};
  const TaskClusters clusters = task_clusters(reports, 1e-6);
  const std::vector<double> alpha = accuracy_shares(std::vector{0.5, 0.8}, 1e-6);
  EXPECT_THAT(clusters.shares, ElementsAre(DoubleEq(alpha[0] * 40 / 60), DoubleEq(20.0 / 60), DoubleEq(alpha[1] * 40 / 60)));
  ASSERT_EQ(clusters.weights.size(), 2U);
  EXPECT_THAT(clusters.weights.at("math"), ElementsAre(Pair("right", DoubleNear(alpha[0] * 0.5 + alpha[1] * 0.8, 1e-14))));
  EXPECT_THAT(clusters.weights.at("code"), UnorderedElementsAre(Pair("passes", 0.7), Pair("length", 0.3)));
}

TEST(TaskClusters, EqualClientsOfOneTaskAreAPlainMean) {
  const RewardReport report{"math", "right", {{"right", 0.25}, {"format", 0.75}}, 7};
  const TaskClusters clusters = task_clusters(std::vector{report, report, report, report}, 1e-6);
  EXPECT_THAT(clusters.shares, ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_EQ(clusters.weights.at("math"), report.weights);
}

TEST(TaskClusters, BadReportsAreNamed) {
  const auto of = [](RewardReport report) { return [report] { task_clusters(std::vector{report}, 1e-6); }; };
  EXPECT_THAT(of({"math", "right", {{"format", 1}}, 3}), ThrowsMessage<Error>(HasSubstr("expected a weight of the accuracy 'right'")));
  for (const double count : {0.0, 1e-300, 1e308, std::nan("")}) {
    EXPECT_THAT(of({"math", "right", {{"right", 1}}, count}),
                ThrowsMessage<Error>(HasSubstr("expected a number of examples from 1e-09 to 1e+15")));
  }
  EXPECT_THAT(of({"math", "right", {{"right", std::nan("")}}, 1}), ThrowsMessage<Error>(HasSubstr("found nan")));
  EXPECT_THAT([] { accuracy_shares(std::vector{0.5}, 0); }, ThrowsMessage<Error>(HasSubstr("positive epsilon, found 0")));
}

TEST(MergedWeights, TakeTheClustersWhereAllAreShared) {
  EXPECT_THAT(merged_weights({{"a", 0.9}, {"b", 0.1}}, {{"a", 0.3}, {"b", 0.7}}),
              UnorderedElementsAre(Pair("a", DoubleEq(0.3)), Pair("b", DoubleEq(0.7))));
  EXPECT_THAT(merged_weights({{"a", 0.9}, {"b", 0.1}}, {}), UnorderedElementsAre(Pair("a", 0.9), Pair("b", 0.1)));
}

TEST(MergedWeights, OwnOnesStayAndSharedOnesFillTheRest) {
  const NamedWeights merged = merged_weights({{"a", 0.2}, {"b", 0.3}, {"own", 0.5}}, {{"a", 0.6}, {"b", 0.2}});
  EXPECT_THAT(merged, UnorderedElementsAre(Pair("a", DoubleNear(0.375, 1e-15)), Pair("b", DoubleNear(0.125, 1e-15)), Pair("own", 0.5)));
  EXPECT_THAT(merged_weights({{"a", 0.2}, {"b", 0.2}, {"own", 0.6}}, {{"a", 0}, {"b", 0}}),
              UnorderedElementsAre(Pair("a", DoubleNear(0.2, 1e-15)), Pair("b", DoubleNear(0.2, 1e-15)), Pair("own", 0.6)));
}

TEST(MergedWeights, SharedOnesAreTheClustersAndOwnOnesFillTheRest) {
  const NamedWeights merged = merged_weights({{"a", 0.2}, {"own", 0.6}, {"other", 0.2}}, {{"a", 0.5}}, KeptWeights::kShared);
  EXPECT_THAT(merged, UnorderedElementsAre(Pair("a", 0.5), Pair("own", DoubleNear(0.375, 1e-15)), Pair("other", DoubleNear(0.125, 1e-15))));
  EXPECT_THAT(merged_weights({{"a", 1}, {"own", 0}, {"other", 0}}, {{"a", 0.5}}, KeptWeights::kShared),
              UnorderedElementsAre(Pair("a", 0.5), Pair("own", 0.25), Pair("other", 0.25)));
  EXPECT_THAT(merged_weights({{"a", 0.9}, {"b", 0.1}}, {{"a", 0.3}, {"b", 0.1}}, KeptWeights::kShared),
              UnorderedElementsAre(Pair("a", DoubleNear(0.75, 1e-15)), Pair("b", DoubleNear(0.25, 1e-15))));
  EXPECT_THAT(merged_weights({{"a", 0.9}, {"b", 0.1}}, {}, KeptWeights::kShared), UnorderedElementsAre(Pair("a", 0.9), Pair("b", 0.1)));
}

// Where accuracy alone is shared, the other reading leaves every weight as it was.
TEST(MergedWeights, RoundedSumsOfMoreThanOneStayOnTheSimplex) {
  const NamedWeights merged = merged_weights({{"a", 0.5}, {"b", 0.5}, {"own", 0}}, {{"a", 0.6}, {"b", 0.41}}, KeptWeights::kShared);
  EXPECT_EQ(merged.at("own"), 0);
  EXPECT_NEAR(merged.at("a") + merged.at("b"), 1, 1e-15);
  EXPECT_NEAR(merged.at("a") / merged.at("b"), 0.6 / 0.41, 1e-12);
}

TEST(MergedWeights, OfAccuracyAloneOnlyOneReadingDoesAnything) {
  const NamedWeights own{{"accuracy", 0.4}, {"format", 0.6}};
  EXPECT_THAT(merged_weights(own, {{"accuracy", 0.7}}),
              UnorderedElementsAre(Pair("accuracy", DoubleNear(0.4, 1e-15)), Pair("format", 0.6)));
  EXPECT_THAT(merged_weights(own, {{"accuracy", 0.7}}, KeptWeights::kShared),
              UnorderedElementsAre(Pair("accuracy", 0.7), Pair("format", DoubleNear(0.3, 1e-15))));
}

}  // namespace
}  // namespace paretofl
