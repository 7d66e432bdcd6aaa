#pragma once

#include "paretofl/environments/environment.h"
#include "paretofl/environments/mujoco_model.h"

namespace paretofl {

/// A one-legged planar hopper of four bodies (Erez et al. 2011; Gymnasium's Hopper-v4, objectives as in MO-Gymnasium's
/// mo-hopper-v4).
///
/// Observation float64 [11]: height, pitch and three joint angles, then the six velocities, that along x first, each cut at
/// +-10. Actions: three torques in -1 .. 1 of the motors' range, which the motors clip; four time steps of 0.002 s each.
/// Reward float32 (velocity along x in m/s; ten times the height above the start in m; minus the sum of the squared
/// actions, as given), each plus 1, in the step that terminates too. A torso below 0.7 m or tilted beyond +-0.2 terminates, as does any
/// joint's angle or any velocity beyond +-100. 1000 steps. An episode starts within +-0.005 of the initial state.
std::unique_ptr<Environment> make_hopper(std::string id);

/// The mechanism, compiled once and shared by all environments of the process.
const MujocoModel& hopper_model();

}  // namespace paretofl
