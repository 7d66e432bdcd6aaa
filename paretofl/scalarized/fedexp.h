#pragma once

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct FedExpOptions {
  ScalarizedOptions base;
  double epsilon = 0.001;
  std::string client_weighting = "uniform";

  void describe(OptionVisitor& visit);
};

/// FedExP (Jhunjhunwala, Wang and Joshi 2023, "FedExP: Speeding Up Federated Averaging via Extrapolation", Algorithm 1): FedAvg whose
/// server step is as long as the clients' updates disagree, eta_g = max(1, sum_i p_i ||u_i||^2 / (2 (||u||^2 + epsilon))) of the mean
/// u = sum_i p_i u_i (p_i = 1 / n by default). Equal updates have eta_g = 1.
///
/// Sums are enough, so secure aggregation works; with noise they are refused. The run's model is the last iterate; the paper evaluates the
/// mean of the last two. Records server_lr.
Strategy make_fedexp(const FedExpOptions& options, const Workload& workload);

}  // namespace paretofl
