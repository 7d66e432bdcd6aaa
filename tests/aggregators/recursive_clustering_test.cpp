#include "paretofl/aggregators/recursive_clustering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/aggregators/cluster_mean.h"
#include "paretofl/aggregators/update_similarity.h"
#include "paretofl/aggregators/weighted_average.h"
#include "paretofl/core/error.h"
#include "tests/aggregators/mixed.h"
#include "tests/aggregators/random_updates.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::FloatNear;
using testing::Pointwise;

constexpr float kDrift = 1e-4F;

/// Clients 0, 2 pull one way and clients 1, 3, 4 the other with as much force in all, so that the mean stays but for a
/// drift; each a bit its own way.
ClientModels pulled_apart(const ClientModels& sent) {
  ClientModels trained = sent;
  const std::vector<float> pull{3, -2, 3, -2, -2};
  for (int i = 0; i < 5; ++i) {
    trained.of(i)[0] += pull[static_cast<std::size_t>(i)];
    trained.of(i)[1] += pull[static_cast<std::size_t>(i)];
    trained.of(i)[1] += kDrift;
    trained.of(i)[2] += i == 0 ? 1.0F : i == 2 ? -1.0F : 0.0F;
    trained.of(i)[3] += i == 1 ? 1.0F : i == 3 ? -1.0F : 0.0F;
  }
  return trained;
}

ClientModels five_alike() { return {Parameters(flat_layout("x", 4)), 5}; }

TEST(RecursiveClustering, AveragesByTheSimilarityToTheMeanAsSent) {
  Random random({1}, "models");
  const ClientModels sent = random_models(6, 50, random);
  const ClientModels trained = random_models(6, 50, random);
  RecursiveClustering mixer({.top_r = 0.4, .s_min = -0.5, .epsilon = 0}, 6);
  const Mixed mixed = mix(mixer, sent, trained);

  std::vector<float> updates(6 * 50);
  updates_from(cluster_mean(sent, everyone(sent)), trained, everyone(sent), updates);
  const ClientMatrix similarity = layerwise_similarity(updates, 6, sent.layout(), 0.4);
  ClientModels expected = trained;
  average_models(similarity_weights(similarity, -0.5), everyone(sent), trained, expected);
  EXPECT_THAT(mixed.models.values(), ElementsAreArray(expected.values()));
  EXPECT_THAT(mixed.of("similarity"), ElementsAreArray(similarity.values()));
  EXPECT_THAT(mixed.of("clusters"), testing::Each(0));
  EXPECT_THAT(mixed.of("cluster_change"), testing::Each(mean_change(sent, trained, everyone(sent))));
}

TEST(RecursiveClustering, OfEqualUpdatesOrWithoutWeightsIsTheMean) {
  const ClientModels sent = five_alike();
  ClientModels alike = sent;
  for (int i = 0; i < 5; ++i) alike.of(i)[1] += 2;
  RecursiveClustering weighted({.epsilon = 0}, 5);
  EXPECT_THAT(mix(weighted, sent, alike).models.values(), Pointwise(FloatNear(1e-6F), alike.values()));

  const ClientModels trained = pulled_apart(sent);
  RecursiveClustering plain({.clustering = false, .weighted_aggregation = false}, 5);
  const std::vector<float> mean = trained.mean();
  const ClientModels models = mix(plain, sent, trained).models;
  for (int i = 0; i < 5; ++i) EXPECT_THAT(models.of(i), Pointwise(FloatNear(1e-6F), mean));
}

TEST(RecursiveClustering, SplitsWhoPullsApartAfterItsPatience) {
  const ClientModels sent = five_alike();
  const ClientModels trained = pulled_apart(sent);
  RecursiveClustering mixer({.epsilon = 1e-3, .patience = 3}, 5);
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(mix(mixer, sent, trained).of("clusters"), ElementsAre(0, 0, 0, 0, 0));
  }
  const Mixed mixed = mix(mixer, sent, trained);
  EXPECT_THAT(mixed.of("clusters"), ElementsAre(0, 1, 0, 1, 1));
  // Each part by itself: nothing of the other side's pull.
  for (const int client : {0, 2}) EXPECT_NEAR(mixed.models.of(client)[0], 3, 1e-6);
  for (const int client : {1, 3, 4}) EXPECT_NEAR(mixed.models.of(client)[0], -2, 1e-6);
}

// Learners that wait for their first experience move nothing.
TEST(RecursiveClustering, DoesntSplitWhoHasNotBegun) {
  RecursiveClustering mixer({.epsilon = 1, .patience = 1}, 5);
  for (int round = 0; round < 3; ++round) EXPECT_THAT(mix(mixer, five_alike(), five_alike()).of("clusters"), testing::Each(0));
}

TEST(RecursiveClustering, AChangeAsLargeAsEpsilonIsCalm) {
  const ClientModels sent = five_alike();
  const ClientModels trained = pulled_apart(sent);
  RecursiveClustering mixer({.epsilon = mean_change(sent, trained, everyone(sent)), .patience = 1}, 5);
  EXPECT_THAT(mix(mixer, sent, trained).of("clusters"), ElementsAre(0, 1, 0, 1, 1));
}

TEST(RecursiveClustering, CountsRoundsInARow) {
  const ClientModels sent = five_alike();
  const ClientModels calm = pulled_apart(sent);
  ClientModels moving = calm;
  for (int i = 0; i < 5; ++i) moving.of(i)[0] += 1;
  RecursiveClustering mixer({.epsilon = 0.5, .patience = 2}, 5);
  const auto clusters_after = [&](const ClientModels& trained) {
    const std::vector<double> clusters = mix(mixer, sent, trained).of("clusters");
    return *std::max_element(clusters.begin(), clusters.end()) + 1;
  };
  EXPECT_EQ(clusters_after(calm), 1);
  EXPECT_EQ(clusters_after(moving), 1);
  EXPECT_EQ(clusters_after(calm), 1);
  EXPECT_EQ(clusters_after(calm), 2);
}

// The parts' weights are relative to the parts' own means as sent (Algorithm 3, lines 9 and 10).
TEST(RecursiveClustering, WeighsPartsByTheirOwnMeans) {
  Random random({3}, "models");
  const ClientModels sent = random_models(5, 4, random);
  const ClientModels trained = pulled_apart(sent);
  RecursiveClustering mixer({.epsilon = 1e-3, .patience = 1}, 5);
  const Mixed mixed = mix(mixer, sent, trained);
  const std::vector<double>& numbers = mixed.of("clusters");
  ClientModels expected = trained;
  for (const double number : {0.0, 1.0}) {
    std::vector<int> members;
    for (int i = 0; i < 5; ++i) {
      if (numbers[static_cast<std::size_t>(i)] == number) members.push_back(i);
    }
    ASSERT_FALSE(members.empty());
    std::vector<float> updates(members.size() * 4);
    updates_from(cluster_mean(sent, members), trained, members, updates);
    average_models(similarity_weights(layerwise_similarity(updates, members.size(), sent.layout(), 1), -1), members, trained, expected);
  }
  EXPECT_THAT(mixed.models.values(), ElementsAreArray(expected.values()));
}

TEST(RecursiveClustering, SplitsAClusterOncePerRoundAndOneClientNever) {
  Random random({4}, "models");
  const ClientModels sent = random_models(4, 30, random);
  RecursiveClustering mixer({.epsilon = 1e6, .patience = 1}, 4);
  double clusters = 1;
  for (int round = 0; round < 6; ++round) {
    const ClientModels trained = random_models(4, 30, random);
    const Mixed mixed = mix(mixer, sent, trained);
    const std::vector<double>& numbers = mixed.of("clusters");
    const double now = *std::max_element(numbers.begin(), numbers.end()) + 1;
    EXPECT_GE(now, std::min(4.0, clusters + 1));
    EXPECT_LE(now, std::min(4.0, 2 * clusters));
    clusters = now;
    if (round == 5) {
      EXPECT_THAT(mixed.models.values(), ElementsAreArray(trained.values()));
    }
  }
  EXPECT_EQ(clusters, 4);
}

TEST(RecursiveClustering, WithoutClusteringStaysOne) {
  const ClientModels sent = five_alike();
  RecursiveClustering mixer({.epsilon = 1e6, .patience = 1, .clustering = false}, 5);
  for (int round = 0; round < 3; ++round) {
    EXPECT_THAT(mix(mixer, sent, pulled_apart(sent)).of("clusters"), testing::Each(0));
  }
}

TEST(RecursiveClustering, WaitsWithASplitForWhoDidNotAnswer) {
  const ClientModels sent = five_alike();
  const ClientModels trained = pulled_apart(sent);
  ClientModels without_4 = trained;
  std::copy(sent.of(4).begin(), sent.of(4).end(), without_4.of(4).begin());
  RecursiveClustering mixer({.epsilon = 10, .patience = 2}, 5);
  EXPECT_THAT(mix(mixer, sent, trained).of("clusters"), testing::Each(0));
  const Mixed mixed = mix(mixer, sent, without_4, {0, 1, 2, 3});
  EXPECT_THAT(mixed.of("clusters"), testing::Each(0));
  EXPECT_THAT(mix(mixer, sent, trained).of("clusters"), ElementsAre(0, 1, 0, 1, 1));
}

TEST(RecursiveClustering, LeavesOutWhoDidNotAnswer) {
  Random random({5}, "models");
  const ClientModels sent = random_models(5, 20, random);
  ClientModels trained = random_models(5, 20, random);
  std::copy(sent.of(2).begin(), sent.of(2).end(), trained.of(2).begin());
  RecursiveClustering plain({.clustering = false, .weighted_aggregation = false}, 5);
  const ClientModels models = mix(plain, sent, trained, {0, 1, 3, 4}).models;
  EXPECT_THAT(models.of(2), ElementsAreArray(sent.of(2)));
  const std::vector<double> mean = cluster_mean(trained, std::vector<int>{0, 1, 3, 4});
  for (const int client : {0, 1, 3, 4}) {
    for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(models.of(client)[j], mean[j], 1e-6);
  }
}

TEST(RecursiveClustering, GoesOnFromASavedState) {
  const ClientModels sent = five_alike();
  const ClientModels trained = pulled_apart(sent);
  RecursiveClustering first({.epsilon = 1e-3, .patience = 2}, 5);
  mix(first, sent, trained);
  Record state;
  first.save(state);
  RecursiveClustering second({.epsilon = 1e-3, .patience = 2}, 5);
  second.load(state);
  EXPECT_THAT(mix(second, sent, trained).of("clusters"), ElementsAre(0, 1, 0, 1, 1));
}

TEST(RecursiveClustering, RejectsOptionsOutOfRange) {
  for (const RecursiveClusteringOptions& options : std::vector<RecursiveClusteringOptions>{
           {.top_r = 0}, {.top_r = 1.1}, {.s_min = 1}, {.s_min = -1.1}, {.epsilon = -1}, {.patience = 0}}) {
    EXPECT_THROW(RecursiveClustering(options, 3), Error);
  }
}

}  // namespace
}  // namespace paretofl
