#pragma once

#include <array>

#include "paretofl/environments/environment.h"

namespace paretofl {

/// What one day does to the reservoir.
struct ReservoirDay {
  double level = 0;                ///< at its end, a float32
  std::array<double, 2> reward{};  ///< as WaterReservoir describes it
};

/// The day that begins at `level` (a float32), under the release that is asked for and the rain's inflow.
ReservoirDay reservoir_day(double level, double release, double inflow);

/// Release water from a dam so that neither the land above is flooded nor the fields below lack water (Castelletti, Pianosi and
/// Restelli 2012, "Tree-based Fitted Q-iteration for Multi-Objective Markov Decision Problems", as in MO-Gymnasium).
///
/// Observation float32 (level of the reservoir, at least 0), from one of ten published levels between 13 and 140. Action: the release,
/// which is cut to the level, and raised to what exceeds the dam's capacity of 100. Inflow is normal, 40 with deviation 10. Reward
/// float32 (flooding: minus the level above 50 after the day; deficit: minus the release's shortfall below the demand of 50). Nothing
/// terminates. 100 steps.
///
/// The published action space has no upper bound. Here it ends at 200, which only a level beyond six deviations of inflow exceeds;
/// larger releases are legal, as for every box.
std::unique_ptr<Environment> make_water_reservoir(std::string id);

}  // namespace paretofl
