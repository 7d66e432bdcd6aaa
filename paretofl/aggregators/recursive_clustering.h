#pragma once

#include "paretofl/aggregators/client_matrix.h"
#include "paretofl/aggregators/clusters.h"
#include "paretofl/aggregators/model_mixer.h"
#include "paretofl/registry/options.h"

namespace paretofl {

struct RecursiveClusteringOptions {
  double top_r = 1;                  ///< R
  double s_min = -1;                 ///< similarity at which a client has weight 0
  double epsilon = 0.1;              ///< a mean model that moves less, in the parameters' unit, has converged
  std::int64_t patience = 2;         ///< rounds in a row
  bool clustering = true;            ///< false: everyone stays in one cluster
  bool weighted_aggregation = true;  ///< false: the plain mean of a cluster

  void describe(OptionVisitor& visit);
};

/// FedPref's server (Algorithms 1 to 3). In every cluster: where the mean of the trained models lies at most epsilon
/// from the mean of the models as sent, for `patience` rounds in a row, the cluster is split in two
/// (spectral_bipartition.h), at most once per round, and a cluster of one never; then each client's next model is the
/// mean of its cluster's trained models, weighted by similarity (weighted_average.h). A mean that has not moved at all
/// has not converged: learners that wait for their first experience (learning starts) have not begun.
///
/// Similarity (update_similarity.h) is that of theta'_i - mean_C, with the mean of the cluster's models as sent: what the
/// paper calls the cluster mean after the last aggregation. Lines 12 and 13 of Algorithm 3 name the parts' own means of
/// the last round: after a split the weights come from similarities relative to the mean of each part's models as sent,
/// while the split itself looks at the whole cluster's.
///
/// A client that does not answer keeps its model and is part of no mean. Its cluster is not split in that round and
/// its count of rounds stays as it is, since the mean of the others alone says nothing of the cluster.
///
/// Records "clusters" [n] after the round; "similarity" [n * n] of all pairs, each client relative to its own
/// cluster's mean before a split; "cluster_change" [n], how far the mean of each client's cluster moved.
class RecursiveClustering : public ModelMixer {
 public:
  /// Throws Error unless 0 < top_r <= 1, -1 <= s_min < 1, epsilon >= 0 and patience >= 1.
  RecursiveClustering(const RecursiveClusteringOptions& options, int clients);

  Metrics mix(const LocalRound& round, ClientModels& models) override;
  void save(Record& state) const override { state.records.emplace("clusters", clusters_.save()); }
  void load(const Record& state) override { clusters_.load(state.record("clusters")); }

 private:
  /// Averages the members who answered, by similarities relative to the mean of all members as sent.
  void average(std::span<const int> members, const ClientMatrix& similarity, const LocalRound& round, ClientModels& models) const;

  RecursiveClusteringOptions options_;
  Clusters clusters_;
};

}  // namespace paretofl
