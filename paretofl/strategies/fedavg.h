#pragma once

#include "paretofl/local/local_training.h"
#include "paretofl/strategies/strategy.h"

namespace paretofl {

struct FedAvgOptions {
  std::int64_t cohort_size = 10;
  LocalTrainingOptions local;
  std::vector<double> objective_weights;  ///< lambda [M], scaled to sum to one; empty: uniform
  std::string client_weighting = "samples";
  Component server_optimizer{"sgd", {}};

  void describe(OptionVisitor& visit);
};

/// Federated averaging of a scalarized loss (McMahan et al. 2017): every client takes tau local steps
/// on sum_k lambda_k f_k with fixed lambda, the server averages the updates and applies them through a
/// server optimizer. `local.proximal` > 0 makes it FedProx.
Strategy make_fedavg(const FedAvgOptions& options, const Workload& workload);

}  // namespace paretofl
