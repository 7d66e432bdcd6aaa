#pragma once

#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/registry.h"
#include "paretofl/core/server.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// A federated algorithm, ready to run: its two halves share only messages. The workload must outlive
/// both.
struct Strategy {
  std::unique_ptr<ServerHalf> server;
  ClientFactory client;
};

/// Every strategy by name.
const Registry<Strategy(const Settings&, const Workload&)>& strategies();

}  // namespace paretofl
