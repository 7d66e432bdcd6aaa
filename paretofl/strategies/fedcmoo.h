#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/rate_halving.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

struct FedCmooOptions {
  std::int64_t cohort_size = 10;
  double server_lr = 1.2;
  LocalTrainingOptions local{.client_lr = 0.5};
  RateHalving halving = {};
  std::string client_weighting = "uniform";
  AggregationOptions aggregation = {};
  Component solver{"projected_gradient", {}};
  std::vector<double> preference = {};
  Component compressor{"randomized_svd", {}};
  std::string jacobian_minibatches = "per_objective";
  std::string losses = "minibatch";
  bool reuse_gradients = true;
  bool recompute_jacobian = false;
  bool gramian_of_heads = false;
  bool measure_nrmse = false;
  bool measure_local_progress = false;
  double separate_client_lr = 0;
  std::string exchanges = "all";

  void describe(OptionVisitor& visit);
};

/// FedCMOO (Algorithm 1): the server finds lambda from sketches of the clients' stochastic jacobians
/// (ApproxGramJacobian, then FindWeights from the last round's lambda), the clients train on
/// sum_k lambda_k f_k and send one update. Upload: at most about 2 d numbers per client and round.
/// The first local step reuses the sketched gradients under the new lambda. Gramian and losses count every client of the
/// cohort alike, whatever client_weighting says of the mean update. An update is
/// x_start - x_tau, so x <- x - eta_s mean(update) is the paper's x - eta_s eta_c tau mean(Delta).
///
/// Where an exchange takes seconds, `exchanges = "one"` makes one of the round's two or three: the sketch rides with the update, and lambda
/// follows the Gramian at the previous round's theta. Round 1 has the uniform lambda. This mode is ours, not the paper's.
///
/// With `measure_local_progress` the cohort trains twice more from the round's model, and the metrics "local_progress" and
/// "separate_local_progress" [M] have what its losses fall by (local_progress.h).
///
/// With a solver that needs two independent samples (modo), two more cohorts of the same size sketch, drawn independently of each other and
/// of the clients that train, as in fedcmoo_theory. That asks for reuse_gradients = false and a one-way compressor.
Strategy make_fedcmoo(const FedCmooOptions& options, const Workload& workload);

}  // namespace paretofl
