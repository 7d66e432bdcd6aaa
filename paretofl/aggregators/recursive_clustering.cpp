#include "paretofl/aggregators/recursive_clustering.h"

#include <algorithm>

#include "paretofl/aggregators/cluster_mean.h"
#include "paretofl/aggregators/spectral_bipartition.h"
#include "paretofl/aggregators/update_similarity.h"
#include "paretofl/aggregators/weighted_average.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Which of the members answered, as places among them.
std::vector<int> places_of_answered(std::span<const int> members, const LocalRound& round) {
  std::vector<int> places;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (std::binary_search(round.answered.begin(), round.answered.end(), members[i])) places.push_back(static_cast<int>(i));
  }
  return places;
}

/// Similarities of the members' trained models relative to the mean of theirs as sent.
ClientMatrix similarity_in(std::span<const int> members, const LocalRound& round, double top_r) {
  std::vector<float> updates(members.size() * round.sent.layout().size());
  updates_from(cluster_mean(round.sent, members), round.trained, members, updates);
  return layerwise_similarity(std::move(updates), members.size(), round.sent.layout(), top_r);
}

/// Likewise of all clients, each relative to the mean of its own cluster.
ClientMatrix similarity_of_all(const Clusters& clusters, const LocalRound& round, double top_r) {
  const auto clients = static_cast<std::size_t>(round.sent.size());
  const std::size_t size = round.sent.layout().size();
  std::vector<float> updates(clients * size);
  for (const Cluster& cluster : clusters.all()) {
    const std::vector<double> mean = cluster_mean(round.sent, cluster.members);
    for (const int client : cluster.members) {
      updates_from(mean, round.trained, std::span(&client, 1), std::span(updates).subspan(static_cast<std::size_t>(client) * size, size));
    }
  }
  return layerwise_similarity(std::move(updates), clients, round.sent.layout(), top_r);
}

}  // namespace

void RecursiveClusteringOptions::describe(OptionVisitor& visit) {
  visit.real("top_r", top_r, 0, 1, "share of each layer's entries that the similarity is computed from (R), above 0");
  visit.real("s_min", s_min, -1, 1, "a client with this similarity or less has weight 0 in another client's model; below 1");
  visit.real("epsilon", epsilon, 0, kInfinity,
             "a cluster has converged if its mean model moves at most this far in a round, in the L2 norm");
  visit.integer("patience", patience, 1, kMaxInt, "a cluster is split after it has been converged for this many rounds in a row");
  visit.boolean("clustering", clustering, "split clusters; false: all clients stay in one cluster");
  visit.boolean("weighted_aggregation", weighted_aggregation, "weight the models of a cluster by similarity; false: equal weights");
}

RecursiveClustering::RecursiveClustering(const RecursiveClusteringOptions& options, int clients) : options_(options), clusters_(clients) {
  expect(options.top_r > 0 && options.top_r <= 1, "strategy.top_r: expected a number above 0 and at most 1, found {}", options.top_r);
  expect(options.s_min >= -1 && options.s_min < 1, "strategy.s_min: expected a number from -1 to below 1, found {}", options.s_min);
  expect(options.epsilon >= 0, "strategy.epsilon: expected a number of at least 0, found {}", options.epsilon);
  expect(options.patience >= 1, "strategy.patience: expected at least 1 round, found {}", options.patience);
}

Metrics RecursiveClustering::mix(const LocalRound& round, ClientModels& models) {
  const ClientMatrix similarity = similarity_of_all(clusters_, round, options_.top_r);
  std::vector<double> change(similarity.size());
  std::vector<Cluster> next;
  for (Cluster cluster : clusters_.all()) {
    const double moved = mean_change(round.sent, round.trained, cluster.members);
    for (const int client : cluster.members) change[static_cast<std::size_t>(client)] = moved;
    const bool complete = places_of_answered(cluster.members, round).size() == cluster.members.size();
    const bool may_split = options_.clustering && complete && cluster.members.size() > 1;
    if (may_split && cluster.note(moved > 0 && moved <= options_.epsilon, options_.patience)) {
      for (Cluster& part : cluster.split(spectral_bipartition(similarity.of(cluster.members)))) {
        average(part.members, similarity_in(part.members, round, options_.top_r), round, models);
        next.push_back(std::move(part));
      }
    } else {
      average(cluster.members, similarity.of(cluster.members), round, models);
      next.push_back(std::move(cluster));
    }
  }
  clusters_.assign(std::move(next));
  return Metrics()
      .with("clusters", clusters_.numbers())
      .with("similarity", std::vector<double>(similarity.values().begin(), similarity.values().end()))
      .with("cluster_change", std::move(change));
}

void RecursiveClustering::average(std::span<const int> members, const ClientMatrix& similarity, const LocalRound& round,
                                  ClientModels& models) const {
  const std::vector<int> places = places_of_answered(members, round);
  std::vector<int> answered;
  for (const int place : places) answered.push_back(members[static_cast<std::size_t>(place)]);
  if (options_.weighted_aggregation) {
    average_models(similarity_weights(similarity.of(places), options_.s_min), answered, round.trained, models);
  } else {
    average_models(std::vector<double>(answered.size(), 1 / static_cast<double>(answered.size())), answered, round.trained, models);
  }
}

}  // namespace paretofl
