#pragma once

#include <string_view>

#include "paretofl/registry/settings.h"
#include "paretofl/sweeps/axis.h"

namespace paretofl {

/// The axis of --preferences for runs like `settings`: over the strategy's option that holds a preference
/// vector (`preference`, or else `objective_weights`). `wanted` is one of
/// - a number N: N preferences, evenly spaced and all positive: with w the N points of the lattice
///   distribution, (1 - 1/N) w + 1/(N M), for two objectives the midpoints of N equal parts;
/// - NAME:N: N clients' preferences of the preference distribution NAME, drawn with the seed 1;
/// - a CSV file with one preference per row;
/// - a list: [1,2],[2,1].
/// Throws Error where the strategy has no such option, and on what is none of these.
Axis preference_axis(std::string_view wanted, const Settings& settings);

}  // namespace paretofl
