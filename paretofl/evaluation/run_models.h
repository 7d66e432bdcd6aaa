#pragma once

#include <span>

#include "paretofl/core/client_models.h"
#include "paretofl/core/model_simplex.h"

namespace paretofl {

/// The models that a run has at some round, as views.
struct RunModels {
  std::span<const float> shared;             ///< theta [d], the model of all clients or the mean of theirs, or for the uniform preference
  const ClientModels* clients = nullptr;     ///< each client's own model; null where all share one
  const ClientModels* fine_tuned = nullptr;  ///< the same before their last mixing; null where they are not asked for, or no others
  const ModelSimplex* simplex = nullptr;     ///< the models for every preference; null where there are none

  /// Whether the clients have models that are not all the same to the bit.
  bool differ() const;
};

}  // namespace paretofl
