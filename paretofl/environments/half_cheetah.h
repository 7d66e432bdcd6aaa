#pragma once

#include "paretofl/environments/environment.h"
#include "paretofl/environments/mujoco_model.h"

namespace paretofl {

/// A two-legged planar runner of seven bodies (Wawrzynski 2007; Gymnasium's HalfCheetah-v4, objectives as in MO-Gymnasium's
/// mo-halfcheetah-v4).
///
/// Observation float64 [17]: height, pitch and six joint angles, then the nine velocities, that along x first. Actions:
/// six torques in -1 .. 1 of each motor's range, which the motors clip; five time steps of 0.01 s each. Reward float32
/// (velocity along x in m/s; -0.1 times the sum of the squared actions, as given). 1000 steps; nothing terminates.
/// An episode starts within +-0.1 of the initial coordinates (uniform), with velocities of deviation 0.1 (normal).
std::unique_ptr<Environment> make_half_cheetah(std::string id);

/// The mechanism, compiled once and shared by all environments of the process.
const MujocoModel& half_cheetah_model();

}  // namespace paretofl
