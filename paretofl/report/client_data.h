#pragma once

#include <nlohmann/json.hpp>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// More clients than this, and a run's similarities are left out of the page: a matrix that nobody can read.
inline constexpr std::size_t kMaxShownClients = 100;

/// What a personalized run's page shows of its clients, or null if the run has no figures by client:
/// {"final": {metric: [n][M]} of the last evaluated round;
///  "scalarized": {"metric", "rounds", "values": [n][rounds]}, each client's figure under its own preference;
///  "clusters": {"rounds", "first": [rounds][n]}, the smallest member of each client's cluster, a name that stays;
///  "similarity": [{"round", "values": [n * n]}] of a few rounds, from the first to the last};
/// the last three where the run has them.
nlohmann::json client_data(const RunData& run);

}  // namespace paretofl
