#include "paretofl/scalarized/single_objective.h"

#include "paretofl/core/error.h"

namespace paretofl {

void SingleObjectiveOptions::describe(OptionVisitor& visit) {
  visit.integer("objective", objective, 0, kMaxInt, "index of the objective that is trained");
  base.describe(visit);
}

Strategy make_single_objective(const SingleObjectiveOptions& options, const Workload& workload) {
  const auto count = static_cast<std::int64_t>(workload.num_objectives());
  expect(options.objective < count, "config: expected strategy.objective below {}, found {}", count, options.objective);
  expect(options.base.base.objective_weights.empty(), "config: expected no strategy.objective_weights for a single objective, found {}",
         options.base.base.objective_weights.size());
  expect(!options.base.private_preferences, "config: expected strategy.private_preferences = false for a single objective, found true");
  FedAvgOptions fedavg = options.base;
  fedavg.base.objective_weights.assign(workload.num_objectives(), 0);
  fedavg.base.objective_weights[static_cast<std::size_t>(options.objective)] = 1;
  return make_fedavg(fedavg, workload);
}

}  // namespace paretofl
