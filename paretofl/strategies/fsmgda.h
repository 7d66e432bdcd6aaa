#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/rate_halving.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

struct FsmgdaOptions {
  std::int64_t cohort_size = 10;
  double server_lr = 2;
  LocalTrainingOptions local;
  RateHalving halving = {};
  std::string client_weighting = "uniform";
  AggregationOptions aggregation = {};
  Component solver{"min_norm", {}};
  double tracking = 1;
  Component compressor{"exact", {}};
  bool gramian_of_heads = false;

  void describe(OptionVisitor& visit);
};

/// FSMGDA (Yang et al. 2023): each client trains M times from theta, once per objective, and sends M
/// updates; the server averages them per objective, resolves the averages by min-norm, and steps along
/// their weighted sum. Upload: M d numbers per client and round. As in FedCMOO's experiments, only the
/// shared part forms the Gramian (unless gramian_of_heads) and lambda scales shared part and heads.
///
/// Solvers to which the scale of gradients matters (WeightSolver::reads_scale) get the Gramian of the averaged updates over
/// (local_steps client_lr)^2 of the round, which with one local step is that of the clients' mean gradients. With Adam, an update over
/// local_steps client_lr is a mean of its steps, about 1 in each parameter.
///
/// `tracking` = beta < 1 makes it a federated MoCo (Fernando et al. 2023, Algorithm 1, with the solver moco): the server resolves tracked
/// gradients y_k <- y_k - beta (y_k - h_k) [M, d], where h_k is the averaged update over local_steps client_lr, and descends
/// local_steps client_lr sum_k lambda_k y_k. The paper leaves y_0 open: here it is the first round's h. It also projects y_k on a bounded
/// set, which is left out, as in the authors' code.
///
/// With another `compressor` than exact, a client sends its M updates as one compressed jacobian [M, d], and the server averages what it
/// rebuilds from them: FSMGDA at FedCMOO's upload of 2 d numbers is top_k with budget = 2. Nothing makes up for what a compressor drops.
Strategy make_fsmgda(const FsmgdaOptions& options, const Workload& workload);

}  // namespace paretofl
