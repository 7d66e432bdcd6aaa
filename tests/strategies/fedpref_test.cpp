#include "paretofl/personalized/fedpref.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/objectives/adjusted_rand_index.h"
#include "paretofl/wire/message.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::ElementsAreArray;
using testing::FloatNear;
using testing::Pointwise;
using Values = std::map<std::string, Settings::Value>;

/// Clients in groups of the given sizes that want the same.
Quadratics grouped(const std::vector<double>& sizes, std::int64_t clients, double noise) {
  return {{.clients = clients,
           .objectives = 4,
           .dimension = 30,
           .heterogeneity = 0,
           .gradient_noise = noise,
           .preferences = {"groups", {.values = {{"sizes", sizes}}, .tables = {}}}},
          3};
}

const std::vector<double>& metric(const Simulation& simulation, const std::string& name) {
  return std::get<std::vector<double>>(simulation.reports.back().metrics.values().at(name));
}

std::vector<double> labels_of(const std::vector<double>& sizes) {
  std::vector<double> labels;
  for (std::size_t g = 0; g < sizes.size(); ++g) labels.insert(labels.end(), static_cast<std::size_t>(sizes[g]), static_cast<double>(g));
  return labels;
}

/// Whether every cluster lies within one group or consists of whole ones.
bool keeps_groups_whole(const std::vector<double>& clusters, const std::vector<double>& labels) {
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const auto mixed = [&](std::size_t j) { return clusters[j] == clusters[i] && labels[j] != labels[i]; };
    const auto torn = [&](std::size_t j) { return clusters[j] != clusters[i] && labels[j] == labels[i]; };
    bool any_mixed = false;
    bool any_torn = false;
    for (std::size_t j = 0; j < clusters.size(); ++j) {
      any_mixed = any_mixed || mixed(j);
      any_torn = any_torn || torn(j);
    }
    if (any_mixed && any_torn) return false;
  }
  return true;
}

// FedPref, Section 4.5: "all sets of clients with the same preferences have been separated correctly". Clusters of one
// group converge, too, and are split later on.
TEST(FedPref, SeparatesTheGroupsThatWantTheSame) {
  for (const std::vector<double>& sizes : {std::vector<double>{5, 5, 5, 5}, std::vector<double>{2, 3, 6, 9}}) {
    const std::vector<double> labels = labels_of(sizes);
    const Quadratics problem = grouped(sizes, 20, 0.05);
    Simulation simulation(strategy_named("fedpref", problem, {{"client_lr", 0.05}, {"epsilon", 0.6}}), problem);
    double best = 0;
    for (std::uint32_t round = 1; round <= 60; ++round) {
      simulation.run(round, round);
      ASSERT_TRUE(keeps_groups_whole(metric(simulation, "clusters"), labels)) << "round " << round;
      best = std::max(best, adjusted_rand_index(metric(simulation, "clusters"), labels));
    }
    if (sizes[0] == 5) {
      EXPECT_EQ(best, 1);
    }
    const std::vector<double>& clusters = metric(simulation, "clusters");
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t j = 0; j < 20; ++j) EXPECT_TRUE(labels[i] == labels[j] || clusters[i] != clusters[j]);
    }
  }
}

// Similarity tells the groups apart before any split.
TEST(FedPref, FindsClientsOfAGroupMoreSimilar) {
  const std::vector<double> labels = labels_of({5, 5, 5, 5});
  const Quadratics problem = grouped({5, 5, 5, 5}, 20, 0.05);
  Simulation simulation(strategy_named("fedpref", problem, {{"clustering", false}, {"client_lr", 0.05}}), problem);
  simulation.run(1, 20);
  const std::vector<double>& similarity = metric(simulation, "similarity");
  double within = 1;
  double across = -1;
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = 0; j < 20; ++j) {
      (labels[i] == labels[j] ? within : across) =
          labels[i] == labels[j] ? std::min(within, similarity[i * 20 + j]) : std::max(across, similarity[i * 20 + j]);
    }
  }
  EXPECT_GT(within, across + 0.1);
}

// Where all want the same, all move the same way and weigh the same.
TEST(FedPref, OfClientsThatMoveAlikeIsFedAvg) {
  const Quadratics problem({.clients = 6, .objectives = 3, .heterogeneity = 0, .gradient_noise = 0}, 7);
  const Values values{{"local_steps", std::int64_t{3}}, {"client_lr", 0.05}};
  Values fedavg = values;
  fedavg.emplace("cohort_size", std::int64_t{6});
  const std::vector<float> expected = Simulation(strategy_named("fedavg", problem, fedavg), problem).run(1, 10);
  Simulation simulation(strategy_named("fedpref", problem, values), problem);
  EXPECT_THAT(simulation.run(1, 10), Pointwise(FloatNear(1e-5F), expected));
  for (int i = 0; i < 6; ++i) EXPECT_THAT(simulation.server.client_models()->of(i), Pointwise(FloatNear(1e-5F), expected));
}

TEST(FedPref, WithNeitherClustersNorWeightsIsFedAvg) {
  const Quadratics problem({.clients = 6, .objectives = 3}, 7);
  Values values{{"local_steps", std::int64_t{3}}, {"client_lr", 0.05}};
  Values fedavg = values;
  fedavg.emplace("cohort_size", std::int64_t{6});
  const std::vector<float> expected = Simulation(strategy_named("fedavg", problem, fedavg), problem).run(1, 10);
  values.insert({{"clustering", false}, {"weighted_aggregation", false}});
  EXPECT_THAT(Simulation(strategy_named("fedpref", problem, values), problem).run(1, 10), Pointwise(FloatNear(1e-4F), expected));
}

TEST(FedPref, ThatNeverSplitsIsWeightedAggregationOnly) {
  const Quadratics problem = grouped({3, 3}, 6, 0.1);
  const auto models = [&](const Values& values) {
    Simulation simulation(strategy_named("fedpref", problem, values), problem);
    simulation.run(1, 8);
    return std::vector<float>(simulation.server.client_models()->values().begin(), simulation.server.client_models()->values().end());
  };
  const std::vector<float> expected = models({{"clustering", false}});
  EXPECT_EQ(models({{"epsilon", 0.0}}), expected);
  EXPECT_NE(models({{"epsilon", 1e6}}), expected);
  EXPECT_NE(models({{"clustering", false}, {"weighted_aggregation", false}}), expected);
  EXPECT_NE(models({{"clustering", false}, {"s_min", 0.5}}), expected);
  EXPECT_NE(models({{"clustering", false}, {"top_r", 0.2}}), expected);
}

// Fine-tuning changes what the run's models are, not the course of training: they come before the mixing.
TEST(FedPref, FineTunedModelsAreThoseBeforeTheMixing) {
  const Quadratics problem = grouped({3, 3}, 6, 0.1);
  const auto run = [&](bool fine_tune, std::uint32_t rounds) {
    auto simulation = std::make_unique<Simulation>(strategy_named("fedpref", problem, {{"fine_tune", fine_tune}}), problem);
    simulation->run(1, rounds);
    return simulation;
  };
  const auto mixed = run(false, 7);
  const auto tuned = run(true, 7);
  EXPECT_EQ(metric(*mixed, "similarity"), metric(*tuned, "similarity"));
  const auto before = run(false, 6);
  const ClientModels& start = *before->server.client_models();
  LocalTrainingOptions local;
  for (int i = 0; i < 6; ++i) {
    std::vector<float> theta(start.of(i).begin(), start.of(i).end());
    problem.learner(i, local)->train(theta, {1, 7, static_cast<std::uint32_t>(i)});
    EXPECT_THAT(tuned->server.client_models()->of(i), ElementsAreArray(theta));
    EXPECT_NE(std::vector<float>(mixed->server.client_models()->of(i).begin(), mixed->server.client_models()->of(i).end()), theta);
  }
}

// Saved with clusters split, a count of calm rounds and fine-tuned models underway.
TEST(FedPref, GoesOnFromASavedStateBitForBit) {
  const Quadratics problem = grouped({2, 3, 3}, 8, 0.1);
  const auto make = [&] {
    return strategy_named("fedpref", problem, {{"epsilon", 1.0}, {"patience", std::int64_t{4}}, {"fine_tune", true}});
  };
  Simulation whole(make(), problem);
  whole.run(1, 15);
  for (const std::uint32_t stop : {3U, 6U, 10U}) {
    Simulation first(make(), problem);
    first.run(1, stop);
    const std::vector<std::byte> bytes = encode(first.server.save());
    Simulation second(make(), problem, {.runtime = {.threads = 3}});
    second.server.load(decode_state(bytes));
    second.run(stop + 1, 15);
    EXPECT_THAT(second.server.client_models()->values(), ElementsAreArray(whole.server.client_models()->values()));
    EXPECT_EQ(metric(second, "clusters"), metric(whole, "clusters"));
  }
  EXPECT_GT(*std::max_element(metric(whole, "clusters").begin(), metric(whole, "clusters").end()), 0);
}

TEST(FedPref, RejectsOptionsOutOfRange) {
  const Quadratics problem = grouped({3, 3}, 6, 0);
  for (const auto& [key, value] : std::vector<std::pair<std::string, Settings::Value>>{
           {"s_min", 1.0}, {"s_min", -1.5}, {"top_r", 0.0}, {"top_r", 2.0}, {"epsilon", -0.1}, {"patience", std::int64_t{0}}}) {
    try {
      strategy_named("fedpref", problem, {{key, value}});
      ADD_FAILURE() << key;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(),
                  testing::AllOf(testing::HasSubstr("strategy." + key), testing::HasSubstr("expected"), testing::HasSubstr("found")));
    }
  }
}

}  // namespace
}  // namespace paretofl
