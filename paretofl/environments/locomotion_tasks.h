#pragma once

#include <functional>
#include <map>
#include <string>

#include "paretofl/environments/locomotion_task.h"

namespace paretofl {

/// Every locomotion environment by its id. What the fields say, in words:
///
/// - mo-halfcheetah-v4, -v5: a planar runner of seven bodies (Wawrzynski 2007). Height, pitch, six joint angles, nine velocities; six
///   torques. Reward (velocity, effort), the effort times 0.1 in v4. Nothing terminates.
/// - mo-hopper-v4, -v5: a planar one-legged hopper of four bodies (Erez et al. 2011). Height, pitch, three joint angles, six velocities
///   cut at +-10; three torques. Reward (velocity, height, effort), each plus 1 per step. A torso below 0.7 m or tilted beyond +-0.2
///   terminates, as does any joint's angle or any velocity beyond +-100. mo-hopper-2d-v4, mo-hopper-2obj-v5: reward (velocity,
///   height), each less 0.001 times the effort.
/// - mo-walker2d-v4, -v5: a planar walker on two such legs (Erez et al. 2011). Height, pitch, six joint angles, nine velocities cut at
///   +-10; six torques. Reward (velocity, effort), each plus 1 per step. A torso beyond 0.8 to 2 m or tilted beyond +-1 terminates.
/// - mo-ant-v4, -v5: a torso on four legs (Schulman et al. 2016). Height, quaternion, eight joint angles, fourteen velocities, in v5 also
///   the contact forces on thirteen bodies; eight torques. Reward (x velocity, y velocity, effort), each plus 1 per step and in v5 less
///   0.0005 times the sum of the squared contact forces, cut at +-1. A torso beyond 0.2 to 1 m terminates. mo-ant-2d-v4,
///   mo-ant-2obj-v5: reward (x velocity, y velocity), each less 0.5 times the effort.
/// - mo-swimmer-v4, -v5: a planar chain of three links in a viscous fluid (Coulom 2002). Angle, two joint angles, five velocities; two
///   torques. Reward (velocity, effort). Nothing terminates.
/// - mo-humanoid-v4, -v5: a body of thirteen parts (Tassa, Erez and Todorov 2012). Height, quaternion, seventeen joint angles,
///   twenty-three velocities, and what LocomotionSenses::kWorld says in v4 and kBodies in v5; seventeen torques of +-0.4. Reward (velocity
///   of the centre of mass, effort), each plus 5 per step and in v5 less 5e-7 times the sum of the squared contact forces, at most 10. A
///   torso beyond 1 to 2 m terminates.
///
/// v4 also pays for the step that terminates, v5 does not. The right foot of mo-walker2d-v4 has the friction 0.9, all others 1.9.
const std::map<std::string, LocomotionTask, std::less<>>& locomotion_tasks();

/// The mechanisms, each compiled once and shared by all environments of the process.
const MujocoModel& half_cheetah_model();
const MujocoModel& hopper_v4_model();
const MujocoModel& hopper_v5_model();
const MujocoModel& walker2d_v4_model();
const MujocoModel& walker2d_v5_model();
const MujocoModel& ant_model();
const MujocoModel& swimmer_model();
const MujocoModel& humanoid_model();

}  // namespace paretofl
