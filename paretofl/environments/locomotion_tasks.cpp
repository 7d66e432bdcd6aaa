#include "paretofl/environments/locomotion_tasks.h"

#include <fmt/format.h>

#include "paretofl/environments/ant_mjcf.h"
#include "paretofl/environments/half_cheetah_mjcf.h"
#include "paretofl/environments/hopper_mjcf.h"
#include "paretofl/environments/humanoid_mjcf.h"
#include "paretofl/environments/swimmer_mjcf.h"
#include "paretofl/environments/walker2d_mjcf.h"

namespace paretofl {
namespace {

using Objective = LocomotionObjective;

LocomotionTask half_cheetah() {
  return {
      .model = half_cheetah_model, .objectives = {Objective::kForward, Objective::kEffort}, .start_noise = 0.1, .normal_velocities = true};
}

LocomotionTask hopper(const MujocoModel& (*model)()) {
  return {.model = model,
          .substeps = 4,
          .fastest_seen = 10,
          .objectives = {Objective::kForward, Objective::kHeight, Objective::kEffort},
          .survival = 1,
          .lowest = 0.7,
          .steepest = 0.2,
          .farthest = 100,
          .start_noise = 0.005};
}

LocomotionTask walker2d(const MujocoModel& (*model)()) {
  return {.model = model,
          .substeps = 4,
          .fastest_seen = 10,
          .objectives = {Objective::kForward, Objective::kEffort},
          .survival = 1,
          .lowest = 0.8,
          .highest = 2,
          .steepest = 1,
          .start_noise = 0.005};
}

LocomotionTask ant() {
  return {.model = ant_model,
          .floating = true,
          .unseen = 2,
          .objectives = {Objective::kForward, Objective::kSideways, Objective::kEffort},
          .travel = TravelPoint::kTorso,
          .survival = 1,
          .lowest = 0.2,
          .highest = 1,
          .start_noise = 0.1,
          .normal_velocities = true};
}

LocomotionTask ant_with_contacts() {
  LocomotionTask task = ant();
  task.senses = LocomotionSenses::kContacts;
  task.contact_weight = 0.0005;
  task.largest_contact_force = 1;
  return task;
}

LocomotionTask swimmer() {
  return {.model = swimmer_model, .substeps = 4, .unseen = 2, .objectives = {Objective::kForward, Objective::kEffort}, .start_noise = 0.1};
}

LocomotionTask humanoid() {
  return {.model = humanoid_model,
          .largest_action = 0.4,
          .floating = true,
          .unseen = 2,
          .objectives = {Objective::kForward, Objective::kEffort},
          .travel = TravelPoint::kMassCentre,
          .senses = LocomotionSenses::kWorld,
          .survival = 5,
          .lowest = 1,
          .highest = 2,
          .start_noise = 0.01};
}

LocomotionTask humanoid_with_contact_cost() {
  LocomotionTask task = humanoid();
  task.senses = LocomotionSenses::kBodies;
  task.contact_weight = 5e-7;
  task.largest_contact_cost = 10;
  return task;
}

LocomotionTask with_effort_weight(LocomotionTask task, double weight) {
  task.effort_weight = weight;
  return task;
}

/// The effort, which is the last objective, becomes a cost of the others.
LocomotionTask with_shared_effort(LocomotionTask task, double weight) {
  task.objectives.pop_back();
  task.shared_effort = weight;
  return task;
}

LocomotionTask unpaid_at_the_end(LocomotionTask task) {
  task.survival_in_last_step = false;
  return task;
}

std::string hopper_mjcf(double margin) { return fmt::format(fmt::runtime(kHopperMjcf), margin); }
std::string walker2d_mjcf(double right_foot_friction) { return fmt::format(fmt::runtime(kWalker2dMjcf), right_foot_friction); }

}  // namespace

const std::map<std::string, LocomotionTask, std::less<>>& locomotion_tasks() {
  static const std::map<std::string, LocomotionTask, std::less<>> kTasks = {
      {"mo-halfcheetah-v4", with_effort_weight(half_cheetah(), 0.1)},
      {"mo-halfcheetah-v5", half_cheetah()},
      {"mo-hopper-v4", hopper(hopper_v4_model)},
      {"mo-hopper-2d-v4", with_shared_effort(hopper(hopper_v4_model), 0.001)},
      {"mo-hopper-v5", unpaid_at_the_end(hopper(hopper_v5_model))},
      {"mo-hopper-2obj-v5", unpaid_at_the_end(with_shared_effort(hopper(hopper_v5_model), 0.001))},
      {"mo-walker2d-v4", walker2d(walker2d_v4_model)},
      {"mo-walker2d-v5", unpaid_at_the_end(walker2d(walker2d_v5_model))},
      {"mo-ant-v4", ant()},
      {"mo-ant-2d-v4", with_shared_effort(ant(), 0.5)},
      {"mo-ant-v5", unpaid_at_the_end(ant_with_contacts())},
      {"mo-ant-2obj-v5", unpaid_at_the_end(with_shared_effort(ant_with_contacts(), 0.5))},
      {"mo-swimmer-v4", swimmer()},
      {"mo-swimmer-v5", swimmer()},
      {"mo-humanoid-v4", humanoid()},
      {"mo-humanoid-v5", unpaid_at_the_end(humanoid_with_contact_cost())}};
  return kTasks;
}

const MujocoModel& half_cheetah_model() {
  static const MujocoModel kModel("half cheetah", kHalfCheetahMjcf);
  return kModel;
}

const MujocoModel& hopper_v4_model() {
  static const MujocoModel kModel("hopper", hopper_mjcf(0.001));
  return kModel;
}

const MujocoModel& hopper_v5_model() {
  static const MujocoModel kModel("hopper", hopper_mjcf(0.002));
  return kModel;
}

const MujocoModel& walker2d_v4_model() {
  static const MujocoModel kModel("walker", walker2d_mjcf(0.9));
  return kModel;
}

const MujocoModel& walker2d_v5_model() {
  static const MujocoModel kModel("walker", walker2d_mjcf(1.9));
  return kModel;
}

const MujocoModel& ant_model() {
  static const MujocoModel kModel("ant", kAntMjcf);
  return kModel;
}

const MujocoModel& swimmer_model() {
  static const MujocoModel kModel("swimmer", kSwimmerMjcf);
  return kModel;
}

const MujocoModel& humanoid_model() {
  static const MujocoModel kModel("humanoid", kHumanoidMjcf);
  return kModel;
}

}  // namespace paretofl
