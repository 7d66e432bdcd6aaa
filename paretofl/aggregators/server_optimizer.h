#pragma once

#include <memory>
#include <span>

#include "paretofl/core/parameters.h"
#include "paretofl/core/record.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

/// Applies an aggregated update as a pseudo-gradient (Reddi et al. 2021, "Adaptive federated
/// optimization", Algorithms 1 and 2). State is per parameter and saved with the server.
class ServerOptimizer {
 public:
  virtual ~ServerOptimizer() = default;
  /// theta <- theta - step(update), update [d].
  virtual void apply(std::span<const float> update, Parameters& global) = 0;
  virtual void save(Record&) const {}
  virtual void load(const Record&) {}
};

/// Server optimizers by name: sgd, momentum, adam, yogi.
Registry<std::unique_ptr<ServerOptimizer>(const Settings&)>& server_optimizers();

/// The server optimizer that a config names.
std::unique_ptr<ServerOptimizer> make_server_optimizer(const Component& component);

}  // namespace paretofl
