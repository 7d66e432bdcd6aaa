#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace paretofl {

/// Runs, as WatchedRun::entry() describes them, in the text format 0.0.4 of Prometheus.
std::string prometheus_text(const std::vector<nlohmann::ordered_json>& runs);

}  // namespace paretofl
