#pragma once

#include "paretofl/environments/environment.h"
#include "paretofl/environments/locomotion_task.h"

namespace paretofl {

/// A robot with a motor per action moves on, as fast and with as little effort as its objectives ask (Gymnasium's half cheetah, hopper,
/// walker, ant, swimmer and humanoid, objectives as in MO-Gymnasium).
///
/// Observation float64: coordinates without the leading unseen ones (metres, radians), velocities (per second), and what else the task
/// senses. Actions: torques in +-largest_action of each motor's range, which the motors clip. Reward float32. 1000 steps. A root's
/// quaternion always has length 1, as MuJoCo keeps it. Known tasks: locomotion_tasks().
std::unique_ptr<Environment> make_locomotion(std::string id, const LocomotionTask& task);

}  // namespace paretofl
