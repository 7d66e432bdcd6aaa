#pragma once

#include "paretofl/parties/problem.h"
#include "paretofl/runs/run_config.h"

namespace paretofl {

/// The settings that all parties of a config's problem agree on: "seed" and every option of the workload by its full key, with defaults,
/// but not workload.preferences, which say how a simulation makes up the clients' secrets.
Texts problem_settings(const RunConfig& config);

/// What all parties of the workload, which the config names, agree on.
Problem problem_of(const RunConfig& config, const Workload& workload);

}  // namespace paretofl
