#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

struct FirmOptions {
  std::int64_t cohort_size = 8;
  double server_lr = 1;
  LocalTrainingOptions local = {};
  std::string client_weighting = "uniform";
  AggregationOptions aggregation = {};
  Component solver{"regularized_min_norm", {}};
  std::vector<double> preference = {};
  bool gramian_of_heads = false;
  bool measure_drift = false;
  bool record_steps = false;

  void describe(OptionVisitor& visit);
};

/// FIRM (Algorithm 1): each client sets lambda, and the server averages. At every local step a client computes the gradients of all
/// objectives, sets lambda from their Gramian (eq. 9 with the default solver) and steps along sum_k lambda_k grad f_k; it
/// sends one update of d numbers, which the server averages. Upload: d numbers and O(M) figures per client and round.
///
/// A client keeps its last lambda, which starts uniform, and the number of its local steps so far, for solvers that continue
/// from it (smoothing); a round that is abandoned stays in them. The preference is one for all clients. A client that has some of the
/// objectives only weighs those, with its part of the preference, and its lambda is 0 for the others; its losses count n / n_k times in
/// "client_loss", so that their mean is the mean over the clients that have the objective.
///
/// With `measure_drift` the server sends mean_c lambda^c of the first local step, where all clients have the same theta, and of the last,
/// where alpha K local steps have led them apart. Each client answers with 2 d more numbers, sum_k (lambda^c_k - mean lambda_k) grad f^c_k
/// at each of the two steps. The metrics "disagreement_drift" (eq. 7) and "last_disagreement_drift" are the squared norms of their means,
/// and are left out if one of the clients that trained does not answer. With one local step the two are equal.
///
/// The metric "lambda" is the mean over the clients and their local steps, C tau solutions in all, and "client_lambda" that over the local
/// steps of each client. A mean of many solutions changes less from round to round than one of them does. With `record_steps` the metrics
/// "step_lambda" and "client_step_lambda" have every one, and "step_cosine", "client_step_cosine" the cosines between the gradients from
/// which they follow.
Strategy make_firm(const FirmOptions& options, const Workload& workload);

}  // namespace paretofl
