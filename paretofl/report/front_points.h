#pragma once

#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// Where a strategy trains a model for every preference, one run has a Pareto front of its own: here such a run stands for several, one per
/// preference at which it was evaluated, with the test figures of that model, the preference in `preference` and as the setting
/// strategy.preference. Each has the costs of the whole run. Other runs stay as they are, and
/// so do those of one objective.
std::vector<RunData> with_front_points(const std::vector<RunData>& runs);

}  // namespace paretofl
