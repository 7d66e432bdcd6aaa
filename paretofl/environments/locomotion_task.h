#pragma once

#include <string_view>
#include <vector>

#include "paretofl/environments/mujoco_model.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// What a step of a robot that moves on can be rewarded for.
enum class LocomotionObjective {
  kForward,   ///< velocity along x, m/s
  kSideways,  ///< velocity along y, m/s
  kHeight,    ///< ten times the height above the start, m
  kEffort,    ///< minus effort_weight times the sum of the squared actions, as given
};

/// The point of the robot whose velocity counts.
enum class TravelPoint {
  kRoot,        ///< the first coordinates
  kTorso,       ///< the body "torso"
  kMassCentre,  ///< the centre of all bodies' mass
};

/// What is observed beside coordinates and velocities.
enum class LocomotionSenses {
  kMotion,    ///< nothing
  kContacts,  ///< contact forces on every body, cut at largest_contact_force
  kBodies,    ///< inertias and velocities of the bodies, forces of the actuated joints, contact forces on the bodies
  kWorld,     ///< the same with rows for the world and with the root's joint
};

/// A robot, what it is rewarded for and where an episode ends: what tells the locomotion environments apart.
struct LocomotionTask {
  const MujocoModel& (*model)() = nullptr;
  int substeps = 5;                 ///< time steps of the model per step
  double largest_action = 1;        ///< bound of each action, beyond which motors clip
  bool floating = false;            ///< the root moves freely in space: its coordinates are x, y, z and a quaternion, else x, z and pitch
  std::size_t unseen = 1;           ///< leading coordinates that are not observed
  double fastest_seen = kInfinity;  ///< observed velocities are cut at plus and minus this

  std::vector<LocomotionObjective> objectives;
  TravelPoint travel = TravelPoint::kRoot;
  LocomotionSenses senses = LocomotionSenses::kMotion;
  double effort_weight = 1;
  // Added to each objective:
  double survival = 0;                       ///< for a step
  bool survival_in_last_step = true;         ///< also for the step that terminates
  double shared_effort = 0;                  ///< weight of the sum of the squared actions, which is subtracted
  double contact_weight = 0;                 ///< weight of the sum of the squared contact forces, which is subtracted
  double largest_contact_force = kInfinity;  ///< contact forces are cut at plus and minus this before they are squared
  double largest_contact_cost = kInfinity;

  // An episode terminates unless all are within, bounds excluded:
  double lowest = -kInfinity;   ///< height of the root, m
  double highest = kInfinity;   ///< m
  double steepest = kInfinity;  ///< pitch either way, radians; of robots in the plane
  double farthest = kInfinity;  ///< coordinates from pitch on and velocities, either way

  double start_noise = 0;          ///< an episode's coordinates start uniformly within this of the initial ones
  bool normal_velocities = false;  ///< its velocities are normal with this deviation, else uniform within it
};

}  // namespace paretofl
