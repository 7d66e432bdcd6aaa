#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/strategies/rate_halving.h"
#include "paretofl/strategies/strategy.h"

namespace paretofl {

struct FsmgdaOptions {
  std::int64_t cohort_size = 10;
  double server_lr = 2;
  LocalTrainingOptions local;
  RateHalving halving = {};
  std::string client_weighting = "uniform";
  AggregationOptions aggregation = {};
  Component solver{"min_norm", {}};
  bool gramian_of_heads = false;

  void describe(OptionVisitor& visit);
};

/// FSMGDA (Yang et al. 2023): each client trains M times from theta, once per objective, and sends M
/// updates; the server averages them per objective, resolves the averages by min-norm, and steps along
/// their weighted sum. Upload: M d numbers per client and round. As in FedCMOO's experiments, only the
/// shared part forms the Gramian (unless gramian_of_heads) and lambda scales shared part and heads.
Strategy make_fsmgda(const FsmgdaOptions& options, const Workload& workload);

}  // namespace paretofl
