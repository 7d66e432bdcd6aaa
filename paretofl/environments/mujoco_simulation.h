#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/environments/mujoco_model.h"
#include "paretofl/environments/physical_state.h"

namespace paretofl {

/// Whether forces and other quantities of bodies are read after a step. They are then computed, and part of a saved state.
enum class MujocoForces { kUnseen, kSeen };

/// A mechanism in motion: a MuJoCo model and the state that goes with it. One thread at a time; simulations that share a
/// model don't disturb each other.
class MujocoSimulation {
 public:
  /// At the model's own initial state, at rest. The model must outlive the simulation. `name` is that of the environment, for messages.
  MujocoSimulation(const MujocoModel& model, std::string name, MujocoForces forces = MujocoForces::kUnseen);
  ~MujocoSimulation();

  /// The model's own initial state, at rest.
  PhysicalState initial_state() const;
  /// Starts from a state at time 0. Throws Error unless it has the model's numbers of coordinates and velocities, all
  /// finite and within +-1e10, beyond which MuJoCo gives up.
  void start(const PhysicalState& state);
  /// Applies the controls [actuators] for `substeps` time steps of the model. Throws Error if the simulation diverges;
  /// start or load again after that.
  void step(std::span<const double> controls, int substeps);

  double time_step() const;  ///< seconds per substep
  std::span<const double> qpos() const;
  std::span<const double> qvel() const;
  /// The origin of a body, by its number in the model, as the last substep's forces were computed with: MuJoCo moves
  /// bodies' coordinates last, and their places in the next substep.
  std::array<double, 3> body_position(int body) const;
  int body_number(const std::string& body) const;  ///< of a body that the model has

  // Where forces are seen; B bodies, of which body 0 is the world. As of the last substep's forces, as body_position.
  std::span<const double> body_inertias() const;    ///< [B, 10]: rotational inertia (6), centre of mass times mass (3), mass
  std::span<const double> body_velocities() const;  ///< [B, 6]: angular, then linear, about the mechanism's centre of mass
  std::span<const double> actuator_forces() const;  ///< [degrees of freedom]
  std::span<const double> contact_forces() const;   ///< [B, 6]: torque, then force, about the mechanism's centre of mass; 0 before a step
  std::array<double, 2> mass_centre() const;        ///< x and y of the centre of all bodies' mass

  /// Everything that the future depends on.
  Record save() const;
  /// Throws Error on what save() of this model cannot have written.
  void load(const Record& state);

 private:
  struct Data;

  void check(std::span<const double> values, std::string_view what, int count) const;

  /// Every array that is saved, with its name.
  std::vector<std::pair<const char*, std::span<double>>> saved_arrays() const;

  const MujocoModel& model_;
  std::string name_;
  MujocoForces forces_;
  std::unique_ptr<Data> data_;
};

}  // namespace paretofl
