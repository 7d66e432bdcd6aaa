#pragma once

#include <string>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// The runs on the Pareto fronts over all runs (run_front.h) as CSV, one row per run, or for a run with a front of its own (front_points.h)
/// one per point of it; by each comparison's test metric. Columns: strategy; a column for every setting in which runs of one strategy
/// differ, called by its key (a strategy's `preference` and `objective_weights` both under "preference"); seed, workload, metric; the final
/// test figure of every objective by the objective's name, or as "objective NAME" where another column has that name; run, the name of its
/// folder. Runs of one objective have no front.
std::string front_csv(const std::vector<RunData>& runs);

}  // namespace paretofl
