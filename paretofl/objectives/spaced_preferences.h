#pragma once

#include <cstddef>
#include <vector>

#include "paretofl/objectives/preference.h"

namespace paretofl {

/// `count` evenly spaced preferences over M objectives, the corners of the simplex among them where there are enough
/// (lattice_preferences.h), in ascending order of the first weight where there are two objectives. Over one objective there is one.
std::vector<Preference> spaced_preferences(std::size_t count, std::size_t objectives);

/// The weights of each, [P][M].
std::vector<std::vector<double>> weights_of(const std::vector<Preference>& preferences);

}  // namespace paretofl
