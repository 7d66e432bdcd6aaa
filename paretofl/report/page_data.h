#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// What page.js draws: {"title", "workloads": [{"name", "objectives", "metric", "metrics":
/// {name: higher is better}, "groups": [{"label", "strategy", "color", "variant", "on_front", "final",
/// "bytes_up", "wall_seconds", "cpu_seconds", "curves", "seconds", "runs"}]}]}. An estimate is [mean,
/// spread], numbers have 7 digits, unknown ones are null.
nlohmann::json page_data(const std::vector<RunData>& runs);

/// One comparison as `paretofl report --json` prints it: the same without curves and runs' details.
nlohmann::json comparison_data(const std::vector<RunData>& runs);

}  // namespace paretofl
