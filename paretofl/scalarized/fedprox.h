#pragma once

#include "paretofl/scalarized/fedavg.h"

namespace paretofl {

struct FedProxOptions {
  FedAvgOptions base;
  double mu = 0.01;

  void describe(OptionVisitor& visit);
};

/// FedProx (Li et al. 2020, Algorithm 2): FedAvg whose local loss has the term mu / 2 ||x - x_t||^2.
/// mu = 0 is FedAvg.
Strategy make_fedprox(const FedProxOptions& options, const Workload& workload);

}  // namespace paretofl
