#pragma once

#include <vector>

#include "paretofl/sweeps/sweep_plan.h"

namespace paretofl {

/// The plan with more seeds and preferences: for every value of an axis that no run has yet, each combination of the plan's other
/// values is a new run, after those of before, which keep their names. Where the plan was not over the axis' key it is now, and the
/// runs of before have there what their config says. Throws Error on more than kMaxRuns, and where a config has no such key.
SweepPlan grown_plan(SweepPlan plan, const std::vector<Axis>& axes);

/// The runs of `now` but for those that `before` could grow by: of another name, and with the settings of one of its runs
/// but for the seed and the preference.
SweepPlan without_growth(const SweepPlan& before, const SweepPlan& now);

}  // namespace paretofl
