#pragma once

#include "paretofl/environments/environment.h"

namespace paretofl {

/// A car too weak for its hill swings out of a valley (Moore 1990; objectives as in MO-Gymnasium's mo-mountaincar-v0).
///
/// Observation float32 (position in -1.2 .. 0.6, velocity in -0.07 .. 0.07 per step), starting at rest at a uniform
/// position in -0.6 .. -0.4. Actions 0 push back, 1 coast, 2 push forward. Reward (time, backward, forward): -1 for every
/// step but the last, for every push back, for every push forward. Reaching 0.5 while not moving back terminates. 200 steps.
std::unique_ptr<Environment> make_mountain_car(std::string id);

}  // namespace paretofl
