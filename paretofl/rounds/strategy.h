#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "paretofl/core/client.h"
#include "paretofl/core/error.h"
#include "paretofl/core/server.h"
#include "paretofl/registry/registry.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// A federated algorithm, ready to run: its two halves share only messages. The workload must outlive
/// both.
struct Strategy {
  std::unique_ptr<ServerHalf> server;
  ClientFactory client;
  /// How many gradients of its GradientOracle a client takes in a round at most, also where a workload makes learners and local steps of
  /// it; 0: not known. Each of them discloses something of the client's data.
  std::int64_t gradients_per_round = 0;
};

/// Throws Error unless the workload has as many clients as a round asks for.
inline void check_cohort_size(std::int64_t cohort_size, const Workload& workload) {
  expect(cohort_size <= workload.num_clients(), "strategy.cohort_size: expected 1 to {} clients, found {}", workload.num_clients(),
         cohort_size);
}

/// Throws Error naming `strategy` unless the workload has gradients of each objective.
inline void check_gradients(const char* strategy, const Workload& workload) {
  expect(workload.has_gradients(), "{}: expected a workload with gradients of each objective, found one without", strategy);
}

/// Throws Error unless clients can tell the losses that strategy.losses = `losses` asks for.
inline void check_losses(std::string_view losses, const Workload& workload) {
  expect(losses != "local" || workload.has_local_losses(),
         "strategy.losses: expected minibatch, since clients of this workload, or clients under privacy.example_clip, report losses of "
         "minibatches only; found '{}'",
         losses);
}

/// Throws Error naming `strategy` unless the workload has local steps with gradients of each objective.
inline void check_objective_steps(const char* strategy, const Workload& workload) {
  expect(workload.has_objective_steps(), "{}: expected a workload with local steps on each objective, found one without", strategy);
}

/// Throws Error unless a preference over the objectives is empty, or one positive number for each.
inline void check_preference(std::span<const double> preference, const Workload& workload) {
  for (const double r : preference) expect(r > 0, "config: expected positive numbers in strategy.preference, found {}", r);
  expect(preference.empty() || preference.size() == workload.num_objectives(),
         "config: expected {} numbers in strategy.preference, found {}", workload.num_objectives(), preference.size());
}

/// Every strategy by name.
Registry<Strategy(const Settings&, const Workload&)>& strategies();

}  // namespace paretofl
