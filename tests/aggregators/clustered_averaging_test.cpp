#include "paretofl/aggregators/clustered_averaging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/aggregators/mixed.h"
#include "tests/aggregators/random_updates.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::FloatNear;
using testing::Pointwise;

ClientModels four_alike() { return {Parameters(flat_layout("x", 2), {5, 7}), 4}; }

/// Adds a step to each model.
ClientModels moved(ClientModels models, const std::vector<std::vector<float>>& steps) {
  for (int i = 0; i < models.size(); ++i) {
    for (std::size_t j = 0; j < 2; ++j) models.of(i)[j] += steps[static_cast<std::size_t>(i)][j];
  }
  return models;
}

const std::vector<std::vector<float>> kOpposed{{3, 1}, {-3, 1}, {3, -1}, {-3, -1}};

TEST(ClusteredAveraging, IsTheMeanOfEachCluster) {
  ClusteredAveraging mixer({.threshold = 1, .patience = 1}, 4);
  const Mixed mixed = mix(mixer, four_alike(), moved(four_alike(), kOpposed));
  EXPECT_THAT(mixed.of("clusters"), ElementsAre(0, 1, 0, 1));
  for (const int client : {0, 2}) EXPECT_THAT(mixed.models.of(client), ElementsAre(8, 7));
  for (const int client : {1, 3}) EXPECT_THAT(mixed.models.of(client), ElementsAre(2, 7));
  EXPECT_THAT(mixed.of("cluster_change"), Each(0));
  EXPECT_THAT(mixed.of("largest_update"), Each(DoubleNear(std::sqrt(10), 1e-12)));
  EXPECT_NEAR(mixed.of("similarity")[0 * 4 + 2], 0.8, 1e-12);
  EXPECT_NEAR(mixed.of("similarity")[0 * 4 + 3], -1, 1e-12);
}

TEST(ClusteredAveraging, SplitsOnlyWhereTheMeanStaysAndAClientDoesnt) {
  const auto clusters_of = [](const ClusteredAveragingOptions& options, const std::vector<std::vector<float>>& steps) {
    ClusteredAveraging mixer(options, 4);
    const Mixed mixed = mix(mixer, four_alike(), moved(four_alike(), steps));
    return *std::max_element(mixed.of("clusters").begin(), mixed.of("clusters").end()) + 1;
  };
  const std::vector<std::vector<float>> together{{3, 1}, {3, 1}, {3, -1}, {3, -1}};
  EXPECT_EQ(clusters_of({.threshold = 1, .patience = 1}, kOpposed), 2);
  EXPECT_EQ(clusters_of({.threshold = 1, .patience = 2}, kOpposed), 1);
  EXPECT_EQ(clusters_of({.threshold = 1, .patience = 1}, together), 1);
  EXPECT_EQ(clusters_of({.threshold = 3.1, .patience = 1}, together), 2);
  EXPECT_EQ(clusters_of({.threshold = 1, .client_threshold = 3.1, .patience = 1}, kOpposed), 2);
  EXPECT_EQ(clusters_of({.threshold = 1, .client_threshold = 3.2, .patience = 1}, kOpposed), 1);
  // All at rest: nobody disagrees.
  EXPECT_EQ(clusters_of({.threshold = 1, .patience = 1}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}), 1);
  // The mean is exactly at rest, which is not below 0.
  EXPECT_EQ(clusters_of({.threshold = 0, .patience = 1}, kOpposed), 1);
}

TEST(ClusteredAveraging, CountsSamplesOrClients) {
  const ClientModels sent = four_alike();
  const ClientModels trained = moved(sent, {{4, 0}, {0, 0}, {0, 0}, {0, 8}});
  for (const std::string weighting : {"samples", "uniform"}) {
    ClusteredAveraging mixer({.client_weighting = weighting}, 4);
    ClientModels models = trained;
    const Metrics metrics = mixer.mix({sent, trained, {0, 1, 2, 3}, {5, 1, 1, 1}}, models);
    const std::vector<float> expected = weighting == "samples" ? std::vector<float>{7.5, 8} : std::vector<float>{6, 9};
    for (int i = 0; i < 4; ++i) EXPECT_THAT(models.of(i), ElementsAreArray(expected));
    const double change = weighting == "samples" ? std::sqrt(2.5 * 2.5 + 1) : std::sqrt(5);
    EXPECT_THAT(std::get<std::vector<double>>(metrics.values().at("cluster_change")), Each(DoubleNear(change, 1e-6)));
  }
}

TEST(ClusteredAveraging, GivesAClusterOneModel) {
  Random random({1}, "models");
  const ClientModels trained = random_models(7, 5000, random);
  ClusteredAveraging mixer({.threshold = 0}, 7);
  const Mixed mixed = mix(mixer, random_models(7, 5000, random), trained);
  for (int i = 1; i < 7; ++i) EXPECT_THAT(mixed.models.of(i), ElementsAreArray(mixed.models.of(0)));
  EXPECT_THAT(mixed.models.of(0), Pointwise(FloatNear(1e-6F), trained.mean()));
}

TEST(ClusteredAveraging, NeverSplitsOneClient) {
  Random random({2}, "models");
  ClusteredAveraging mixer({.threshold = 1e6, .patience = 1}, 3);
  const ClientModels sent = random_models(3, 10, random);
  for (int round = 0; round < 5; ++round) {
    const ClientModels trained = random_models(3, 10, random);
    const Mixed mixed = mix(mixer, sent, trained);
    if (round < 2) continue;
    EXPECT_THAT(mixed.of("clusters"), ElementsAre(0, 1, 2));
    EXPECT_THAT(mixed.models.values(), ElementsAreArray(trained.values()));
  }
}

TEST(ClusteredAveraging, LeavesOutWhoDidNotAnswerAndWaitsWithASplit) {
  const ClientModels sent = four_alike();
  ClientModels trained = moved(sent, kOpposed);
  ClusteredAveraging mixer({.threshold = 10, .patience = 2}, 4);
  EXPECT_THAT(mix(mixer, sent, trained).of("clusters"), Each(0));
  std::copy(sent.of(3).begin(), sent.of(3).end(), trained.of(3).begin());
  const Mixed mixed = mix(mixer, sent, trained, {0, 1, 2});
  EXPECT_THAT(mixed.of("clusters"), Each(0));
  EXPECT_THAT(mixed.models.of(3), ElementsAreArray(mixed.models.of(0))) << "one model per cluster";
  EXPECT_THAT(mixed.models.of(0), ElementsAre(testing::FloatEq(6), testing::FloatNear(7 + 1.0F / 3, 1e-6F)));
  EXPECT_THAT(mix(mixer, sent, moved(sent, kOpposed)).of("clusters"), ElementsAre(0, 1, 0, 1));
}

TEST(ClusteredAveraging, GoesOnFromASavedState) {
  const ClientModels trained = moved(four_alike(), kOpposed);
  ClusteredAveraging first({.threshold = 1, .patience = 2}, 4);
  mix(first, four_alike(), trained);
  Record state;
  first.save(state);
  ClusteredAveraging second({.threshold = 1, .patience = 2}, 4);
  second.load(state);
  EXPECT_THAT(mix(second, four_alike(), trained).of("clusters"), ElementsAre(0, 1, 0, 1));
}

TEST(ClusteredAveraging, RejectsOptionsOutOfRange) {
  for (const ClusteredAveragingOptions& options : std::vector<ClusteredAveragingOptions>{
           {.threshold = -1}, {.client_threshold = -1}, {.patience = 0}, {.client_weighting = "squares"}}) {
    EXPECT_THROW(ClusteredAveraging(options, 3), Error);
  }
}

}  // namespace
}  // namespace paretofl
