#pragma once

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct QfflOptions {
  ScalarizedOptions base;
  double q = 1;
  std::string losses = "minibatch";

  void describe(OptionVisitor& visit);
};

/// q-FedAvg (Li, Sanjabi, Beirami and Smith 2020, "Fair Resource Allocation in Federated Learning", Algorithm 2) for the objective
/// sum_i f_i^(q + 1) / (q + 1) over clients. With L = 1 / eta_c, w = L u_i of the client's update u_i and its loss f_i at the model
/// it was sent, a client sends Delta_i = f_i^q w and h_i = q f_i^(q - 1) ||w||^2 + L f_i^q, and theta <- theta - sum_i Delta_i / sum_i h_i.
/// q = 0 is FedAvg with uniform weights. As in the authors' code, f_i + 1e-10 is in the place of f_i.
///
/// Sums are enough, so secure aggregation works; with noise they are refused. A client with a negative loss fails. Records mean_h.
/// Throws Error unless local steps are those of SGD with a positive rate.
Strategy make_qffl(const QfflOptions& options, const Workload& workload);

}  // namespace paretofl
