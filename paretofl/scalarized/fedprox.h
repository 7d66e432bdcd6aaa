#pragma once

#include "paretofl/scalarized/fedavg.h"

namespace paretofl {

struct FedProxOptions {
  FedAvgOptions base;
  double mu = 0.01;

  void describe(OptionVisitor& visit);
};

/// FedProx (Li et al. 2020, Algorithm 2): FedAvg whose local loss has the term mu / 2 ||x - x_t||^2.
/// mu = 0 is FedAvg. Cohorts are drawn uniformly and clients weighed by their samples, as in the authors' code; the paper's algorithm draws
/// them by their share of the samples and takes the plain mean.
Strategy make_fedprox(const FedProxOptions& options, const Workload& workload);

}  // namespace paretofl
