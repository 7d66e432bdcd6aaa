#pragma once

#include "paretofl/core/texts.h"
#include "paretofl/runs/run_config.h"

namespace paretofl {

/// What the server and all parties of a run must have alike: the engine's version, the settings that shape results, the content
/// of plugins and of other programs of the users (Workload::code), and the problem without anyone's data (parties/problem.h). Settings of
/// private preferences are left out.
Texts agreement_of(const ResolvedConfig& config, const Workload& workload);

}  // namespace paretofl
