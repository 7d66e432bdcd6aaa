#pragma once

#include "paretofl/aggregators/recursive_clustering.h"
#include "paretofl/personalized/personalized.h"

namespace paretofl {

struct FedPrefOptions {
  PersonalizedOptions base;
  RecursiveClusteringOptions clusters;

  void describe(OptionVisitor& visit);
};

/// FedPref (Hartmann et al. 2024, Algorithm 3): personalized models of clients with private preferences, averaged by the
/// similarity of how they develop, in clusters that are split where they have converged (recursive_clustering.h). Of its
/// ablations, "clustering only" is weighted_aggregation = false and "weighted aggregation only" is clustering = false.
Strategy make_fedpref(const FedPrefOptions& options, const Workload& workload);

}  // namespace paretofl
