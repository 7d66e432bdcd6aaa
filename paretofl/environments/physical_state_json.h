#pragma once

#include <string>

#include "paretofl/environments/physical_state.h"

namespace paretofl {

/// Reads {"qpos": [..], "qvel": [..]}. Throws Error, calling the text `name`, on broken JSON, on a key that is missing or
/// unknown, and on anything that is not a list of numbers. How many there must be is the environment's to say.
PhysicalState parse_physical_state(const std::string& text, const std::string& name);

}  // namespace paretofl
