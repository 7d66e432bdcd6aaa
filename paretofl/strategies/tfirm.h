#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

struct TFirmOptions {
  std::int64_t cohort_size = 8;
  LocalTrainingOptions local = {};
  AggregationOptions aggregation = {};
  double beta = 0.01;
  std::string smoothing = "harmonic";
  double smoothing_rate = 0.1;
  bool measure_drift = false;
  bool record_steps = false;

  void describe(OptionVisitor& visit);
};

/// Theoretical FIRM (Algorithm 2): the round of `firm` with the regularized MGDA of eq. 11, that is without trace
/// normalization, and with lambda_t = (1 - eta_t) lambda_{t-1} + eta_t lambda*_t over all local steps of a client, t from 1.
/// A round is the K local steps between two aggregations, and the server takes the mean of the clients' parameters. The
/// critic of Algorithm 3 belongs to the workload's local steps: `tabular_mdp` has it.
Strategy make_tfirm(const TFirmOptions& options, const Workload& workload);

}  // namespace paretofl
