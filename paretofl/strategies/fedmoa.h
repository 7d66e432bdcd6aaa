#pragma once

#include <string>
#include <vector>

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

/// What GRPO in a federation needs with or without FedMOA's two parts.
struct FedGrpoOptions {
  std::int64_t cohort_size = 10;
  LocalTrainingOptions local = {.local_steps = 4, .client_lr = 2e-5, .optimizer = "adam"};
  AggregationOptions aggregation = {};
  std::int64_t cosine_rounds = 0;
  std::int64_t warmup_steps = 0;  ///< local steps, counted over the rounds
  std::vector<double> reward_weights = {};
  std::vector<std::string> named_weights = {};
  double accuracy_weight = 0;
  std::int64_t local_evaluation_every = 0;

  void describe(OptionVisitor& visit);
};

struct FedMoaOptions : FedGrpoOptions {
  bool adaptive_weights = true;
  bool accuracy_aggregation = true;
  double hypergradient_rate = 0.01;
  std::string hypergradient = "inner_product";
  double epsilon = 1e-6;
  std::string clusters = "accuracy";
  std::string kept_weights = "own";

  void describe(OptionVisitor& visit);
};

/// FedMOA: every client trains on its own rewards by GRPO (grpo_steps.h) while hypergradients move their weights
/// (reward_weights.h), and sends its model, its weights with the rewards' names and the label of its task. The server forms
/// clusters, aggregates within each by the clients' accuracy weights and across them by their examples (task_clusters.h), and
/// broadcasts the model and the clusters' weights, from which clients start the next round (merged_weights).
///
/// Without `adaptive_weights` weights stay as they start; without `accuracy_aggregation` the global model is the mean of the
/// clients' by their examples (FedAvg), and weights are not aggregated: each client keeps its own. A step's weights are those
/// before its own hypergradients are seen.
///
/// A client keeps its weights, also when a round is abandoned. The server's weights replace those that its whole cluster shares.
///
/// Where the server may see sums over the cohort alone, it gets all of this from sums (fedmoa_sums.h), and the metrics have the means.
///
/// What the paper leaves open: `clusters` says what makes a cluster. "accuracy": the name of the accuracy reward, so that
/// clients of one kind of task whose other rewards differ are together; "rewards": the names of all rewards; "task": the
/// task's label. `kept_weights` says what a client makes of the cluster's weights where it has rewards of its own (KeptWeights). The
/// default is "own": the paper's client-specific components "are not aggregated", and so keep their weights; earlier runs have it. Where
/// accuracy alone is common, the shared weight is then what it was, and the broadcast of w^(c) does nothing. "shared" takes w_0 := w_0^(c)
/// as it is broadcast, and scales the client's own weights to the rest.
///
/// A reward starts with the weight that `reward_weights` has in its place, the same for all clients, or `named_weights` under its name,
/// "NAME=WEIGHT", of which each client takes those of its rewards, scaled to sum to 1; with `accuracy_weight` a client's first reward has
/// that weight and the others share the rest, so that all clients start with the same w_0; without any of them, all rewards have the same
/// weight.
///
/// Warns once, at the server: before its first round where weights that should adapt can't, and after the first round in which a client
/// has several rewards where no client's weights moved by 1e-4 from those they start with (unmoved_weights.h).
///
/// Records "lambda" [M], the clients' mean weights after the round (0 for a reward that a client doesn't have), "client_lambda"
/// [n, M], "client_reward" [n, M], the clients' training rewards (both 0 for a reward that a client doesn't have), "cohort" [n],
/// "client_share" [n] in the global model, "train_loss" [M], minus the mean training rewards (left out in a round where nobody has one of
/// them), means of the clients' figures ("reward_<name>" over those that have it) and, in every `local_evaluation_every`-th round,
/// "local_accuracy" [n] and "local_reward" [n] of the clients' own models, the latter the mean over their rewards, and "local_rewards" [n,
/// M], each of these.
Strategy make_fedmoa(const FedMoaOptions& options, const Workload& workload);

/// FedGRPO, the baseline: GRPO on each client with fixed weights, FedAvg at the server. FedMOA with both parts switched off.
Strategy make_fedgrpo(const FedGrpoOptions& options, const Workload& workload);

}  // namespace paretofl
