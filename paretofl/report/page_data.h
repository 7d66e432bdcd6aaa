#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// What page.js draws: {"title", "workloads": [{"name", "title", "objectives", "metric", "metrics":
/// {name: higher is better}, "strategy_fronts": {metric: [{"strategy", "color", "groups", "hypervolume",
/// "sparsity", "cardinality"}]}, "groups": [{"label", "strategy", "color", "variant", "on_front", "seeds",
/// "final", "gramian_nrmse", "bytes_up", "wall_seconds", "cpu_seconds", "curves", "seconds", "settings",
/// "runs"}]}]}; A run of a language model has "completions": [{"prompt", "completion",
/// "reward": {objective: x}}]; client_data.h says what a personalized run has besides. An estimate is [mean, spread], numbers have 7
/// digits, those of curves 5, unknown ones are null.
nlohmann::json page_data(const std::vector<RunData>& runs, const std::vector<double>& reference = {});

/// One comparison as `paretofl report --json` prints it: the same without curves, settings and runs' details.
nlohmann::json comparison_data(const std::vector<RunData>& runs, const std::vector<double>& reference = {});

}  // namespace paretofl
