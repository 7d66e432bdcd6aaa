#pragma once

#include <span>
#include <vector>

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/core/parameters.h"
#include "paretofl/core/round.h"
#include "paretofl/local/local_training.h"

namespace paretofl {

/// The exchange in which clients train on a weighted sum of the objectives: the server sends theta and lambda by the verb "train", and
/// each client of the cohort takes its local steps on sum_k lambda_k f_k and replies with its update and losses.

/// What the exchange leaves at the server.
struct WeightedTraining {
  std::vector<float> update;   ///< the clients' updates combined [d]
  std::vector<double> losses;  ///< their losses combined [M]
  Replies replies;             ///< of those whose answers are used, without the updates, which are taken; none where the server may
                               ///< see sums alone
};

/// Server half; another `verb` asks for more than training, which is then in the replies. Notes in `exclusions` whose answers cannot be
/// used. Throws as Round::broadcast and Aggregation::expect_enough do.
WeightedTraining train_cohort(Round& round, const Cohort& cohort, const Parameters& global, const std::vector<double>& lambda,
                              const Aggregation& aggregation, Exclusions& exclusions, const char* verb = "train");

/// Client half: answers "train" with SGD or Adam on the oracle's minibatches. `factors` are the client's (Workload::objective_factors).
Reply train_client(const LocalTrainingOptions& options, const GradientOracle& oracle, std::span<const double> factors,
                   const Request& request, StreamId stream);

}  // namespace paretofl
