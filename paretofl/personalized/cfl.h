#pragma once

#include "paretofl/aggregators/clustered_averaging.h"
#include "paretofl/personalized/personalized.h"

namespace paretofl {

struct CflOptions {
  PersonalizedOptions base;
  ClusteredAveragingOptions clusters;

  void describe(OptionVisitor& visit);
};

/// Clustered federated learning (Sattler et al. 2019) of clients with private preferences, a baseline of FedPref, Section
/// 4.2.1: one model per cluster, and clusters that are split where their members disagree (clustered_averaging.h).
Strategy make_cfl(const CflOptions& options, const Workload& workload);

}  // namespace paretofl
