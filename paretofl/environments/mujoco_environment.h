#pragma once

#include "paretofl/environments/environment.h"
#include "paretofl/environments/mujoco_simulation.h"

namespace paretofl {

/// What environments on MuJoCo share: where an episode starts, and the states of a simulation. An environment says how its
/// first state is drawn, what an action does, and what is seen.
class MujocoEnvironment : public Environment {
 protected:
  /// The model must outlive the environment.
  MujocoEnvironment(EnvironmentSpec spec, const MujocoModel& model, MujocoForces forces = MujocoForces::kUnseen)
      : Environment(std::move(spec)), simulation_(model, this->spec().id, forces) {}

  MujocoSimulation& simulation() { return simulation_; }
  const MujocoSimulation& simulation() const { return simulation_; }

 private:
  /// Moves the model's own initial state to where an episode starts.
  virtual void draw_start(Random random, PhysicalState& state) const = 0;

  void start(Random random) final;
  void start_at(const PhysicalState& state) final;
  Record save_state() const final;
  void load_state(const Record& state) final;

  MujocoSimulation simulation_;
};

}  // namespace paretofl
