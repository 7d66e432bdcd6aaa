#pragma once

#include <span>
#include <vector>

#include "paretofl/core/client_models.h"
#include "paretofl/core/metrics.h"

namespace paretofl {

/// The result of one round of local training, before models are averaged.
struct LocalRound {
  const ClientModels& sent;         ///< theta_i as sent, after the last mixing
  const ClientModels& trained;      ///< theta'_i; as sent for a client that did not answer
  std::vector<int> answered;        ///< the clients that did, ascending
  std::vector<double> num_samples;  ///< number of samples of each of them, finite and positive
};

/// Decides which clients' personalized models are averaged with each other. One thread at a time.
class ModelMixer {
 public:
  virtual ~ModelMixer() = default;

  /// Turns the trained models into the clients' next ones: `models` comes as a copy of round.trained. A client that did
  /// not answer keeps its model. Returns metrics of the round, such as "clusters" [n].
  virtual Metrics mix(const LocalRound& round, ClientModels& models) = 0;

  /// State kept from round to round, for checkpoints.
  virtual void save(Record&) const {}
  virtual void load(const Record&) {}
};

}  // namespace paretofl
