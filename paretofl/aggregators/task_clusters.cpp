#include "paretofl/aggregators/task_clusters.h"

#include <algorithm>
#include <cmath>

#include "paretofl/aggregators/sample_count.h"
#include "paretofl/core/error.h"

namespace paretofl {

std::vector<double> accuracy_shares(std::span<const double> accuracy_weights, double epsilon) {
  expect(std::isfinite(epsilon) && epsilon > 0, "accuracy shares: expected a positive epsilon, found {}", epsilon);
  std::vector<double> shares;
  for (const double w : accuracy_weights) {
    expect(std::isfinite(w) && w >= 0, "accuracy shares: expected weights of at least 0, found {}", w);
    shares.push_back(1 / (w + epsilon));
  }
  if (shares.empty()) return shares;
  const double largest = *std::max_element(shares.begin(), shares.end());
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - largest);
  for (double& share : shares) share /= sum;
  return shares;
}

TaskClusters task_clusters(std::span<const RewardReport> reports, double epsilon) {
  std::map<std::string, std::vector<std::size_t>, std::less<>> members;
  double samples = 0;
  for (std::size_t m = 0; m < reports.size(); ++m) {
    const RewardReport& report = reports[m];
    expect(is_sample_count(report.num_samples), "task clusters: expected a number of examples from {:g} to {:g}, found {}",
           kSmallestSampleCount, kLargestSampleCount, report.num_samples);
    expect(report.weights.contains(report.accuracy),
           "task clusters: expected a weight of the accuracy '{}' from each of its clients, found none", report.accuracy);
    members[report.cluster].push_back(m);
    samples += report.num_samples;
  }
  TaskClusters result{std::vector<double>(reports.size()), {}};
  for (const auto& [cluster, clients] : members) {
    std::vector<double> accuracy;
    double of_cluster = 0;
    for (const std::size_t m : clients) {
      accuracy.push_back(reports[m].weights.find(reports[m].accuracy)->second);
      of_cluster += reports[m].num_samples;
    }
    const std::vector<double> alpha = accuracy_shares(accuracy, epsilon);
    NamedWeights& shared = result.weights[cluster];
    for (const auto& [name, unused] : reports[clients.front()].weights) {
      double mean = 0;
      bool common = true;
      for (std::size_t i = 0; i < clients.size() && common; ++i) {
        const auto weight = reports[clients[i]].weights.find(name);
        common = weight != reports[clients[i]].weights.end();
        if (common) mean += alpha[i] * weight->second;
      }
      if (common) shared.emplace(name, mean);
    }
    for (std::size_t i = 0; i < clients.size(); ++i) result.shares[clients[i]] = alpha[i] * (of_cluster / samples);
  }
  return result;
}

NamedWeights merged_weights(const NamedWeights& own, const NamedWeights& of_cluster, KeptWeights kept) {
  NamedWeights merged = own;
  std::size_t shared = 0;
  for (auto& [name, weight] : merged) {
    const auto common = of_cluster.find(name);
    if (common == of_cluster.end()) continue;
    weight = common->second;
    ++shared;
  }
  if (shared == 0) return own;
  const bool scale_shared = kept == KeptWeights::kOwn || shared == own.size();
  double rest = 1;
  double sum = 0;
  double count = 0;
  for (const auto& [name, weight] : merged) {
    if (of_cluster.contains(name) == scale_shared) {
      sum += weight;
      count += 1;
    } else {
      rest -= weight;
    }
  }
  const double kept_sum = 1 - rest;  // more than 1 where the cluster's weights come from rounded sums
  for (auto& [name, weight] : merged) {
    if (of_cluster.contains(name) == scale_shared) {
      weight = std::max(rest, 0.0) * (sum > 0 ? weight / sum : 1 / count);
    } else if (kept_sum > 1) {
      weight /= kept_sum;
    }
  }
  return merged;
}

}  // namespace paretofl
