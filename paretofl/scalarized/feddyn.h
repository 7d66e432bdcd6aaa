#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct FedDynOptions {
  ScalarizedOptions base;
  double alpha = 0.01;
  AggregationOptions aggregation = {};

  void describe(OptionVisitor& visit);
};

/// FedDyn (Acar et al. 2021, "Federated Learning Based on Dynamic Regularization", Algorithm 1): client i keeps g_i [d], zero at first, and
/// trains from theta_t on f_i(theta) - <g_i, theta> + alpha / 2 ||theta - theta_t||^2, which ends at theta_i; then
/// g_i <- g_i - alpha (theta_i - theta_t), the gradient of f_i at a minimizer. The server keeps h [d], zero at first:
/// h <- h - alpha / N sum over the cohort of (theta_i - theta_t), and theta <- mean theta_i - h / alpha. N is the number of all clients,
/// who count alike. The minimization is the local steps of the options. The run's model is theta, which the algorithm returns; the authors'
/// code evaluates the mean of the cohort's theta_i, which is theta + h / alpha, and divides alpha by a client's share of the samples.
///
/// Sums are enough, so secure aggregation works. Noise would add up in h, so noised sums are refused. h is the server's state and g_i the
/// client's. A change counts for both or for neither, as in scaffold.h. Records correction_norm, ||h||.
Strategy make_feddyn(const FedDynOptions& options, const Workload& workload);

}  // namespace paretofl
