#pragma once

#include <nlohmann/json.hpp>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// Half-life, in rounds that a client took part in, of the moving averages below (20 in FIRM's figures, which name no unit).
inline constexpr double kHalfLife = 20;

/// What the page shows of the clients' local training where a strategy records it by client ("cohort" and "client_*" of a
/// round's metrics), or null if none does:
/// {"rounds", "clients": [n ids], "figures": {name: {"series": [names], "measured": [series][n][rounds], "smooth": likewise}}}.
/// Series are the objectives, or numbers of other figures. A client has null in rounds without it. "smooth" is the
/// exponential moving average of its measured values, each weighted by its age alone. Rounds are thinned to a few hundred, and
/// clients beyond the first hundred are left out.
nlohmann::json training_data(const RunData& run);

}  // namespace paretofl
