// Adds a copy of the first part of every kind under a new name.
#include "paretofl/adversaries/adversary.h"
#include "paretofl/agents/agent.h"
#include "paretofl/aggregators/aggregator.h"
#include "paretofl/aggregators/server_optimizer.h"
#include "paretofl/compressors/compressor.h"
#include "paretofl/environments/environment.h"
#include "paretofl/models/registry.h"
#include "paretofl/objectives/preference_distribution.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/registry/plugin_interface.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runtimes/registry.h"
#include "paretofl/solvers/weight_solver.h"
#include "paretofl/workloads/workload.h"

namespace {

template <class Factory>
void copy_first(paretofl::PluginParts& parts, paretofl::Registry<Factory>& registry) {
  auto entry = registry.at(registry.entries().front()->name);
  entry.name = "copied";
  parts.add(registry, std::move(entry));
}

}  // namespace

PARETOFL_PLUGIN(parts) {
  copy_first(parts, paretofl::strategies());
  copy_first(parts, paretofl::workloads());
  copy_first(parts, paretofl::solvers());
  copy_first(parts, paretofl::compressors());
  copy_first(parts, paretofl::aggregators());
  copy_first(parts, paretofl::server_optimizers());
  copy_first(parts, paretofl::runtimes());
  copy_first(parts, paretofl::models());
  copy_first(parts, paretofl::environments());
  copy_first(parts, paretofl::agents());
  copy_first(parts, paretofl::preference_distributions());
  copy_first(parts, paretofl::rewards());
  copy_first(parts, paretofl::question_sets());
  copy_first(parts, paretofl::adversaries());
}
