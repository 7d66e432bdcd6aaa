#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "paretofl/aggregators/exclusions.h"
#include "paretofl/core/client.h"
#include "paretofl/core/cohort.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/rate_halving.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

/// What all strategies share whose clients train on one loss, f = sum_k lambda_k f_k with fixed objective weights, as FedAvg does.
struct ScalarizedOptions {
  std::int64_t cohort_size = 10;
  LocalTrainingOptions local = {};
  RateHalving halving = {};
  std::vector<double> objective_weights = {};  ///< lambda [M], scaled to sum to one; empty: uniform

  void describe(OptionVisitor& visit);
};

/// lambda [M], scaled to sum to one; uniform where `weights` is empty. Throws Error unless there are M numbers, one of them positive.
std::vector<double> scaled_objective_weights(const std::vector<double>& weights, const Workload& workload);

/// The same of the options. Throws Error naming `strategy` unless the workload has gradients, every client has every objective, and there
/// are enough clients.
std::vector<double> check_scalarized(const char* strategy, const ScalarizedOptions& options, const Workload& workload);

/// Throws Error naming `strategy` unless local steps are those of SGD with a positive rate, from which the method computes gradients.
void check_plain_sgd(const char* strategy, const LocalTrainingOptions& options);

/// Describes on which data clients take the losses that the server needs of them.
void describe_client_losses(OptionVisitor& visit, std::string& losses);

/// f(theta) = sum_k lambda_k f_k(theta) of losses [M].
double scalarized(std::span<const double> losses, std::span<const double> lambda);

/// The array of an answer that holds the client's losses [M] at the model that it was sent.
inline constexpr const char* kStartLosses = "start_losses";

/// The client half that takes local steps on f from the model it is sent, answers the verb "train" as FedAvg's client does, and keeps no
/// state. Where it is told to, the answer has kStartLosses: with losses "local" those on all of the client's data, with "minibatch" those
/// of the first local step. `finish` turns the answer into what the strategy sends; it gets the options of the round's local steps.
class ScalarizedClient : public ClientHalf {
 public:
  using Finish = std::function<void(const Request&, const LocalTrainingOptions&, Reply&)>;

  /// `losses` is empty where none are asked for.
  ScalarizedClient(const ScalarizedOptions& options, const Workload& workload, int client, std::string losses = "", Finish finish = {});

  Reply handle(const Request& request, StreamId stream) override;

  /// The losses [M] at another theta [d] that kStartLosses tells of the one sent: on the same data, in the same round.
  std::vector<double> losses_at(std::span<const float> theta, std::span<const double> lambda, StreamId stream) const;

 private:
  ScalarizedOptions options_;
  const Workload& workload_;
  int client_;
  std::string losses_;
  Finish finish_;
};

}  // namespace paretofl
