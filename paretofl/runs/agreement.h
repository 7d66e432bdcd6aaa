#pragma once

#include "paretofl/core/texts.h"
#include "paretofl/registry/options.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// What the server and all parties of a run must have alike: the engine's version, the settings that shape results, and the problem
/// without anyone's data: objectives, number of clients, layout and initial parameters.
Texts agreement_of(const Settings& resolved, const Workload& workload);

}  // namespace paretofl
