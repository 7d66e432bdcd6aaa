#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct FedAvgOptions {
  ScalarizedOptions base;
  std::string client_weighting = "samples";
  AggregationOptions aggregation = {};
  Component server_optimizer{"sgd", {}};
  bool private_preferences = false;
  bool fine_tune = false;

  void describe(OptionVisitor& visit);
};

/// Federated averaging of a scalarized loss (McMahan et al. 2017): every client takes tau local steps
/// on sum_k lambda_k f_k with fixed lambda, the server averages the updates and applies them through a
/// server optimizer. `base.local.proximal` > 0 makes it FedProx.
///
/// With `private_preferences` (the baselines of FedPref, Section 4.2.1) each client trains under its own preference
/// instead, with a learner that it keeps between rounds, and the run's models are the clients': the global one for
/// everyone, so that each is evaluated under its own preference, or with `fine_tune` (FedAvg+FT) what each client's
/// last local training made of it, before the averaging; a client that did not answer has the model it was sent.
/// Throws Error if objective_weights or a halved rate come with private_preferences, or fine_tune without them or with a cohort of
/// fewer than all clients.
Strategy make_fedavg(const FedAvgOptions& options, const Workload& workload);

}  // namespace paretofl
