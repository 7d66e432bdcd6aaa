#include "paretofl/environments/locomotion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/environments/mujoco_environment.h"

namespace paretofl {
namespace {

std::vector<std::string> objective_names(const LocomotionTask& task) {
  const auto rewards = [&](LocomotionObjective objective) {
    return std::find(task.objectives.begin(), task.objectives.end(), objective) != task.objectives.end();
  };
  std::vector<std::string> names;
  for (const LocomotionObjective objective : task.objectives) {
    switch (objective) {
      case LocomotionObjective::kForward:
        names.emplace_back(rewards(LocomotionObjective::kSideways) ? "x_velocity" : "velocity");
        break;
      case LocomotionObjective::kSideways:
        names.emplace_back("y_velocity");
        break;
      case LocomotionObjective::kHeight:
        names.emplace_back("height");
        break;
      case LocomotionObjective::kEffort:
        names.emplace_back("effort");
        break;
    }
  }
  return names;
}

std::size_t observation_size(const LocomotionTask& task) {
  const auto [coordinates, velocities, actuators, bodies] = task.model().sizes();
  const std::size_t motion = coordinates - task.unseen + velocities;
  switch (task.senses) {
    case LocomotionSenses::kContacts:
      return motion + 6 * (bodies - 1);
    case LocomotionSenses::kBodies:
      return motion + 22 * (bodies - 1) + actuators;
    case LocomotionSenses::kWorld:
      return motion + 22 * bodies + velocities;
    default:
      return motion;
  }
}

MujocoForces forces(const LocomotionTask& task) {
  const bool seen = task.senses != LocomotionSenses::kMotion || task.contact_weight > 0 || task.travel == TravelPoint::kMassCentre;
  return seen ? MujocoForces::kSeen : MujocoForces::kUnseen;
}

double sum_of_squares(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

class Locomotion : public MujocoEnvironment {
 public:
  Locomotion(std::string id, const LocomotionTask& task)
      : MujocoEnvironment({.id = std::move(id),
                           .observation = ObservationSpace::unbounded(ObservationSpace::Type::kFloat64, observation_size(task)),
                           .action = {.choices = 0,
                                      .low = std::vector<double>(task.model().sizes().actuators, -task.largest_action),
                                      .high = std::vector<double>(task.model().sizes().actuators, task.largest_action)},
                           .objective_names = objective_names(task),
                           .max_episode_steps = 1000},
                          task.model(), forces(task)),
        task_(task),
        torso_(simulation().body_number("torso")),
        initial_height_(simulation().initial_state().qpos[height_coordinate()]) {}

 private:
  std::size_t height_coordinate() const { return task_.floating ? 2 : 1; }

  void draw_start(Random random, PhysicalState& state) const override {
    const double noise = task_.start_noise;
    for (double& coordinate : state.qpos) coordinate += random.uniform(-noise, noise);
    for (double& velocity : state.qvel) velocity += task_.normal_velocities ? noise * random.normal() : random.uniform(-noise, noise);
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    const std::array<double, 2> before = place();
    simulation().step(action, task_.substeps);
    const std::array<double, 2> after = place();
    const double duration = task_.substeps * simulation().time_step();
    const double effort = sum_of_squares(action);
    const bool fallen = !within_bounds();
    for (std::size_t k = 0; k < reward.size(); ++k) {
      switch (task_.objectives[k]) {
        case LocomotionObjective::kForward:
          reward[k] = (after[0] - before[0]) / duration;
          break;
        case LocomotionObjective::kSideways:
          reward[k] = (after[1] - before[1]) / duration;
          break;
        case LocomotionObjective::kHeight:
          reward[k] = 10 * (simulation().qpos()[height_coordinate()] - initial_height_);
          break;
        case LocomotionObjective::kEffort:
          reward[k] = -task_.effort_weight * effort;
          break;
      }
    }
    for (double& number : reward) number = static_cast<float>(number);
    if (task_.shared_effort > 0) add_to_each(reward, -task_.shared_effort * effort);
    if (task_.survival > 0 && (!fallen || task_.survival_in_last_step)) add_to_each(reward, task_.survival);
    if (task_.contact_weight > 0) add_to_each(reward, -contact_cost());
    return fallen;
  }

  /// As the reference, rounds after every addition.
  static void add_to_each(std::span<double> reward, double amount) {
    for (double& number : reward) number = static_cast<float>(number + amount);
  }

  void write_observation(std::span<double> observation) const override {
    auto next = observation.begin();
    const auto append = [&](std::span<const double> values, double bound = kInfinity) {
      next = std::transform(values.begin(), values.end(), next, [bound](double value) { return std::clamp(value, -bound, bound); });
    };
    append(simulation().qpos().subspan(task_.unseen));
    append(simulation().qvel(), task_.fastest_seen);
    if (task_.senses == LocomotionSenses::kContacts) append(simulation().contact_forces().subspan(6), task_.largest_contact_force);
    if (task_.senses != LocomotionSenses::kBodies && task_.senses != LocomotionSenses::kWorld) return;
    const std::size_t first_body = task_.senses == LocomotionSenses::kWorld ? 0 : 1;
    append(simulation().body_inertias().subspan(10 * first_body));
    append(simulation().body_velocities().subspan(6 * first_body));
    append(simulation().actuator_forces().subspan(6 * first_body));  // the root's joint has six
    append(simulation().contact_forces().subspan(6 * first_body));
  }

  std::array<double, 2> place() const {
    switch (task_.travel) {
      case TravelPoint::kTorso: {
        const auto position = simulation().body_position(torso_);
        return {position[0], position[1]};
      }
      case TravelPoint::kMassCentre:
        return simulation().mass_centre();
      default:
        return {simulation().qpos()[0], simulation().qpos()[1]};
    }
  }

  double contact_cost() const {
    double sum = 0;
    for (const double force : simulation().contact_forces()) {
      const double cut = std::clamp(force, -task_.largest_contact_force, task_.largest_contact_force);
      sum += cut * cut;
    }
    return std::min(task_.contact_weight * sum, task_.largest_contact_cost);
  }

  bool within_bounds() const {
    const auto near = [this](double value) { return std::abs(value) < task_.farthest; };
    const auto qpos = simulation().qpos();
    const auto qvel = simulation().qvel();
    const double height = qpos[height_coordinate()];
    return height > task_.lowest && height < task_.highest && (task_.floating || std::abs(qpos[2]) < task_.steepest) &&
           std::all_of(qpos.begin() + 2, qpos.end(), near) && std::all_of(qvel.begin(), qvel.end(), near);
  }

  LocomotionTask task_;
  int torso_;  ///< body number
  double initial_height_;
};

}  // namespace

std::unique_ptr<Environment> make_locomotion(std::string id, const LocomotionTask& task) {
  return std::make_unique<Locomotion>(std::move(id), task);
}

}  // namespace paretofl
