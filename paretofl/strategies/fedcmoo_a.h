#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

struct FedCmooAOptions {
  std::int64_t cohort_size = 8;
  double server_lr = 1;
  LocalTrainingOptions local = {};
  std::string client_weighting = "uniform";
  AggregationOptions aggregation = {};
  Component solver{"min_norm", {}};
  std::vector<double> preference = {};
  bool gramian_of_heads = false;
  bool record_steps = false;

  void describe(OptionVisitor& visit);
};

/// FedCMOO-A, the server-centric baseline of FIRM (section 5): once per round every client sends the uncompressed gradients
/// [M, d] of its first local step, the server solves one MGDA for their mean and broadcasts one lambda, which all clients
/// use for all their local steps of the round. The first of them reuses the gradients sent. Upload: (M + 1) d numbers.
/// Unlike `fedcmoo` it takes the local steps of FIRM, so that they differ in who sets lambda, and in the
/// solver: FIRM regularizes, the paper says nothing of a regularizer here, and the default has none. The metrics "lambda",
/// "client_lambda" and, with `record_steps`, "step_lambda" are all that one solution.
Strategy make_fedcmoo_a(const FedCmooAOptions& options, const Workload& workload);

}  // namespace paretofl
