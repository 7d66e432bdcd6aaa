#pragma once

#include <string>

#include "paretofl/aggregators/clusters.h"
#include "paretofl/aggregators/mean.h"
#include "paretofl/aggregators/model_mixer.h"
#include "paretofl/registry/options.h"

namespace paretofl {

struct ClusteredAveragingOptions {
  double threshold = 0.1;       ///< eps_1: the mean update's norm must be below it, in the parameters' unit
  double client_threshold = 0;  ///< eps_2: the largest update's norm must be above it
  std::int64_t patience = 2;    ///< rounds in a row
  std::string client_weighting = "samples";

  void describe(OptionVisitor& visit);
};

/// Clustered federated learning (Sattler et al. 2019, arXiv 1910.01991): federated averaging in every cluster; a cluster
/// near a stationary point of its mean while its members are not, ||mean_i Delta_i|| < eps_1 and
/// max_i ||Delta_i|| > eps_2, is split in two (optimal_bipartition.h) by the cosines of its members' whole updates
/// Delta_i = theta'_i - theta_i. FedPref's experiments wait until that holds for `patience` rounds in a row. Clusters of
/// one are never split, others at most once per round, and eps_1 = 0 never splits.
///
/// Choices: FedPref's tables have one threshold, which is eps_1 here; eps_2 = 0 by default asks of the clients no more
/// than to move at all, where Sattler et al. recommend eps_2 between eps_1 and 10 eps_1, with eps_1 about a tenth of the
/// largest mean update seen. Their lower bound on how unlike the parts must be (gamma_max) is left out.
/// The authors' code also splits only clusters of more than two, from round 20 on, and takes plain means.
///
/// A client that does not answer gets its cluster's model like the others, but counts in nobody's mean; its cluster is not split in that
/// round and its count of rounds stays as it is.
///
/// Records "clusters" [n] after the round; "similarity" [n * n], the cosines of all pairs; "cluster_change" [n] and
/// "largest_update" [n], the two norms of each client's cluster before a split.
class ClusteredAveraging : public ModelMixer {
 public:
  /// Throws Error unless both thresholds are at least 0 and patience >= 1.
  ClusteredAveraging(const ClusteredAveragingOptions& options, int clients);

  Metrics mix(const LocalRound& round, ClientModels& models) override;
  void save(Record& state) const override { state.records.emplace("clusters", clusters_.save()); }
  void load(const Record& state) override { clusters_.load(state.record("clusters")); }

 private:
  ClusteredAveragingOptions options_;
  ClientWeighting weighting_;
  Clusters clusters_;
};

}  // namespace paretofl
