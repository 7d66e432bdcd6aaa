#pragma once

#include <vector>

#include "paretofl/environments/environment.h"

namespace paretofl {

/// What a step of the mountain car can be rewarded for.
enum class CarObjective {
  kTime,      ///< -1 for every step but the one that arrives
  kBackward,  ///< -1 for every push back
  kForward,   ///< -1 for every push forward
  kMoves,     ///< -1 for every push, back or forward
  kSpeed,     ///< 15 times the speed after the step, at most 1.05
};

/// A car too weak for its hill swings out of a valley (Moore 1990; objectives as in MO-Gymnasium's mo-mountaincar-v0 and its variants).
///
/// Observation float32 (position in -1.2 .. 0.6, velocity in -0.07 .. 0.07 per step), starting at rest at a uniform
/// position in -0.6 .. -0.4. Actions 0 push back, 1 coast, 2 push forward. Reward float32, one number per objective. Reaching 0.5
/// while not moving back terminates. 200 steps.
std::unique_ptr<Environment> make_mountain_car(std::string id, const std::vector<CarObjective>& objectives);

/// The same car with a throttle (Gymnasium's MountainCarContinuous-v0; objectives as in MO-Gymnasium's mo-mountaincarcontinuous-v0).
///
/// Observation and start as above. Action: one push in -1 (back) .. 1 (forward), which the engine clips; full power is 1.5 times
/// that above. Position and velocity are rounded to float32 after every step. Reward float32 (time: -1 for every step but the one that
/// arrives; fuel: minus the squared action, as given). Reaching 0.45 while not moving back terminates. 999 steps.
std::unique_ptr<Environment> make_continuous_mountain_car(std::string id);

}  // namespace paretofl
