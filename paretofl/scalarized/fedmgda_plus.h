#pragma once

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct FedMgdaPlusOptions {
  ScalarizedOptions base;
  double server_lr = 1;
  double epsilon = 0.1;
  std::string client_weighting = "uniform";

  void describe(OptionVisitor& visit);
};

/// FedMGDA+ (Hu, Shaloudegi, Zhang and Yu 2022, "Federated Learning Meets Multi-objective Optimization", Algorithm 1), where the clients
/// are the objectives: each client's update u_i is divided by its norm, lambda* minimizes ||sum_i lambda_i u_i / ||u_i|| ||^2 over the
/// weights of the clients on the simplex with |lambda_i - lambda_0,i| <= epsilon, and theta <- theta - eta d along the minimizing
/// sum d. lambda_0 are the clients' shares; epsilon = 0 fixes lambda to them, and epsilon = 1 leaves lambda free, so that d is a common
/// descent direction, <d, u_i> >= ||d||^2 ||u_i||. An update of length zero stays zero.
///
/// Records client_weight [n], by the cohort's ascending ids in "cohort" [n], and direction_norm.
Strategy make_fedmgda_plus(const FedMgdaPlusOptions& options, const Workload& workload);

}  // namespace paretofl
