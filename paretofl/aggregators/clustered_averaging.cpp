#include "paretofl/aggregators/clustered_averaging.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/aggregators/optimal_bipartition.h"
#include "paretofl/aggregators/update_similarity.h"
#include "paretofl/aggregators/weighted_average.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// The members who answered, and how much each of them counts; the shares sum to one.
struct Present {
  std::vector<int> clients;
  std::vector<double> shares;
};

Present present(std::span<const int> members, const LocalRound& round, ClientWeighting weighting) {
  Present found;
  for (const int client : members) {
    const auto place = std::lower_bound(round.answered.begin(), round.answered.end(), client);
    if (place == round.answered.end() || *place != client) continue;
    found.clients.push_back(client);
    const auto index = static_cast<std::size_t>(place - round.answered.begin());
    found.shares.push_back(weighting == ClientWeighting::kUniform ? 1 : round.num_samples[index]);
  }
  const double total = std::accumulate(found.shares.begin(), found.shares.end(), 0.0);
  for (double& share : found.shares) share /= total;
  return found;
}

struct Norms {
  double mean = 0;     ///< of the mean update
  double largest = 0;  ///< of the largest one
};

Norms norms(const Present& members, std::span<const float> updates, std::size_t size) {
  Norms norms;
  std::vector<double> mean(size);
  for (std::size_t i = 0; i < members.clients.size(); ++i) {
    const auto update = updates.subspan(static_cast<std::size_t>(members.clients[i]) * size, size);
    double squares = 0;
    for (std::size_t j = 0; j < size; ++j) {
      squares += static_cast<double>(update[j]) * update[j];
      mean[j] += members.shares[i] * update[j];
    }
    norms.largest = std::max(norms.largest, std::sqrt(squares));
  }
  norms.mean = std::sqrt(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0));
  return norms;
}

}  // namespace

void ClusteredAveragingOptions::describe(OptionVisitor& visit) {
  visit.real("threshold", threshold, 0, kInfinity, "a cluster can be split if the norm of its mean update is smaller than this (eps_1)");
  visit.real("client_threshold", client_threshold, 0, kInfinity,
             "and if the norm of one of its clients' updates is larger than this (eps_2)");
  visit.integer("patience", patience, 1, kMaxInt, "the cluster is split after this many such rounds in a row");
  describe_client_weighting(visit, client_weighting);
}

ClusteredAveraging::ClusteredAveraging(const ClusteredAveragingOptions& options, int clients)
    : options_(options), weighting_(parse_client_weighting(options.client_weighting)), clusters_(clients) {
  expect(options.threshold >= 0, "strategy.threshold: expected a number of at least 0, found {}", options.threshold);
  expect(options.client_threshold >= 0, "strategy.client_threshold: expected a number of at least 0, found {}", options.client_threshold);
  expect(options.patience >= 1, "strategy.patience: expected at least 1 round, found {}", options.patience);
}

Metrics ClusteredAveraging::mix(const LocalRound& round, ClientModels& models) {
  const auto clients = static_cast<std::size_t>(round.sent.size());
  const std::size_t size = round.sent.layout().size();
  std::vector<float> updates(clients * size);
  for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = round.trained.values()[i] - round.sent.values()[i];
  const ClientMatrix similarity = cosine_similarity(updates, clients, {0, size});

  std::vector<double> change(clients);
  std::vector<double> largest(clients);
  std::vector<Cluster> next;
  for (Cluster cluster : clusters_.all()) {
    const Present members = present(cluster.members, round, weighting_);
    const Norms norm = norms(members, updates, size);
    for (const int client : cluster.members) {
      change[static_cast<std::size_t>(client)] = norm.mean;
      largest[static_cast<std::size_t>(client)] = norm.largest;
    }
    const bool may_split = members.clients.size() == cluster.members.size() && cluster.members.size() > 1;
    const bool calm = norm.mean < options_.threshold && norm.largest > options_.client_threshold;
    if (may_split && cluster.note(calm, options_.patience)) {
      for (Cluster& part : cluster.split(optimal_bipartition(similarity.of(cluster.members)))) next.push_back(std::move(part));
    } else {
      next.push_back(std::move(cluster));
    }
  }
  for (const Cluster& cluster : next) {
    const Present members = present(cluster.members, round, weighting_);
    if (members.clients.empty()) continue;
    average_models(members.shares, members.clients, round.trained, models);
    const int first = members.clients.front();
    for (const int client : cluster.members) {
      if (client != first) std::ranges::copy(models.of(first), models.of(client).begin());
    }
  }
  clusters_.assign(std::move(next));
  return Metrics()
      .with("clusters", clusters_.numbers())
      .with("similarity", std::vector<double>(similarity.values().begin(), similarity.values().end()))
      .with("cluster_change", std::move(change))
      .with("largest_update", std::move(largest));
}

}  // namespace paretofl
