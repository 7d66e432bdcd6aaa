#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

struct FedCmooTheoryOptions {
  std::int64_t cohort_size = 10;
  std::int64_t sketch_cohort_size = 0;
  AggregationOptions aggregation = {};
  std::int64_t local_steps = 10;
  std::int64_t horizon = 100;
  double smoothness = 1;
  double client_lr = 0;
  double server_lr = 0;
  double beta = -1;
  Component compressor{"quantizer", {}};

  void describe(OptionVisitor& visit);
};

/// FedCMOO as its convergence is proved (Algorithms 9 and 10). Every round the server draws two cohorts
/// of n' clients, independently of each other and of the n clients that train; each cohort's mean of
/// compressed stochastic jacobians gives Y_1 and Y_2 [M, d], so that G = Y_1 Y_2^T is an unbiased estimate
/// of the Gramian, then lambda <- proj_simplex(lambda - beta G lambda), and tau local steps on
/// sum_k lambda_k f_k, with fresh minibatches. Columns are compressed one by one by an unbiased compressor.
///
/// Step sizes left at their defaults are those of Corollary 1.1: eta_c = 1 / (L tau sqrt(tau T)),
/// eta_s = sqrt(tau), beta = 1 / (M sqrt(T)), for L-smooth objectives and T rounds. A client in both sketch
/// cohorts draws a minibatch for each. G needs not be symmetric, so no other solver fits here.
Strategy make_fedcmoo_theory(const FedCmooTheoryOptions& options, const Workload& workload);

}  // namespace paretofl
