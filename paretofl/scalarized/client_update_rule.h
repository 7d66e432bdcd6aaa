#pragma once

#include <memory>

#include "paretofl/core/metrics.h"
#include "paretofl/core/record.h"
#include "paretofl/core/round.h"
#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

/// What single clients of a round sent, in the order of their ids.
struct ClientUpdates {
  const Replies& replies;      ///< updates [d] = theta_t - theta_i, so that a server descends along them
  std::vector<double> shares;  ///< [n], how much each client counts; they sum to one
  std::vector<double> losses;  ///< f_i(theta_t) [n], scalarized; empty where the rule did not ask for them
};

/// How a server makes one step of the updates of single clients.
class ClientUpdateRule {
 public:
  virtual ~ClientUpdateRule() = default;

  /// The direction [d] that is subtracted from theta. Adds figures of the round. Called once per round, after the clients have trained. A
  /// rule that has further exchanges notes in `exclusions` whose answers cannot be used, and changes its own state after the last of them.
  virtual std::vector<float> combine(Round& round, const ClientUpdates& updates, Exclusions& exclusions, Metrics& metrics) = 0;

  virtual void save(Record&) const {}
  virtual void load(const Record&) {}
};

/// Local training as FedAvg's, and at the server `rule` on the updates of single clients. So the server needs them one by one, and secure
/// aggregation is refused. `losses` says which the clients send with them (ScalarizedClient); empty: none. Throws Error naming `strategy`
/// as check_scalarized() and check_losses() do.
Strategy make_update_rule_strategy(const char* strategy, const ScalarizedOptions& options, const std::string& client_weighting,
                                   const std::string& losses, std::unique_ptr<ClientUpdateRule> rule, const Workload& workload);

}  // namespace paretofl
