#pragma once

#include <memory>
#include <set>

#include "paretofl/adversaries/adversary.h"
#include "paretofl/core/client.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// The clients of a simulation that lie.
class HostileClients {
 public:
  /// Draws them from the seed: as many as the adversary's share of all clients, rounded. `honest` must outlive the object. Throws Error
  /// where an adversary has no client, or does not fit the workload.
  HostileClients(const Adversary& adversary, std::uint64_t seed, const Workload& honest);

  const std::set<int>& clients() const { return clients_; }
  /// What strategies are made of.
  const Workload& workload() const { return poisoned_ ? *poisoned_ : honest_; }
  /// The clients of a strategy, of whom the hostile ones alter their answers.
  ClientFactory among(ClientFactory factory) const;

 private:
  std::function<void(Reply&)> alter_;
  std::set<int> clients_;
  const Workload& honest_;
  std::unique_ptr<Workload> poisoned_;
};

}  // namespace paretofl
