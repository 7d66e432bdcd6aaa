#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace paretofl {

/// Weights of rewards by name.
using NamedWeights = std::map<std::string, double, std::less<>>;

/// What a client says of its rewards beside its model.
struct RewardReport {
  std::string cluster;   ///< which task it works on
  std::string accuracy;  ///< the name of the reward that measures accuracy
  NamedWeights weights;
  double num_samples = 0;  ///< training examples
};

/// How much each client counts among those of its task (FedMOA, eq. 11): the softmax of s_m = 1 / (w_m + epsilon) over the
/// weights w_m that its accuracy has, so that clients whose accuracy needs less weight count more. Computed without overflow;
/// as w_m goes to 0 it is 1 / epsilon that counts. Throws Error unless the weights are finite and at least 0, epsilon positive.
std::vector<double> accuracy_shares(std::span<const double> accuracy_weights, double epsilon);

/// What a server that aggregates by tasks makes of the reports (FedMOA, eqs. 12 and 13).
struct TaskClusters {
  std::vector<double> shares;                                ///< [n] of the clients in the global model: they sum to 1
  std::map<std::string, NamedWeights, std::less<>> weights;  ///< of each cluster's rewards that all its clients have
};

/// Within a cluster clients count by accuracy_shares, clusters by their training examples. Throws Error if a report lacks its
/// accuracy, or has no examples.
TaskClusters task_clusters(std::span<const RewardReport> reports, double epsilon);

/// Which weights a client keeps as they are where it has rewards that its cluster does not share.
enum class KeptWeights {
  kOwn,    ///< the client's own rewards keep theirs; those that the cluster shares get its weights scaled to the rest of 1
  kShared  ///< those that the cluster shares get its weights, w_k := w_k^(c); the client's own are scaled to the rest of 1
};

/// A client's weights at the start of a round, on the simplex. What is scaled and has only zeros gets equal parts of the rest. Where the
/// client has no reward of its own, or none that the cluster shares, the others fill 1 in either way.
NamedWeights merged_weights(const NamedWeights& own, const NamedWeights& of_cluster, KeptWeights kept = KeptWeights::kOwn);

}  // namespace paretofl
