#include "paretofl/environments/half_cheetah.h"

#include <algorithm>

#include "paretofl/environments/half_cheetah_mjcf.h"
#include "paretofl/environments/mujoco_environment.h"

namespace paretofl {
namespace {

constexpr int kSubsteps = 5;
constexpr double kNoise = 0.1;
constexpr double kEffortCost = 0.1;

class HalfCheetah : public MujocoEnvironment {
 public:
  explicit HalfCheetah(std::string id)
      : MujocoEnvironment({.id = std::move(id),
                           .observation = ObservationSpace::unbounded(ObservationSpace::Type::kFloat64, 17),
                           .action = {.choices = 0, .low = std::vector<double>(6, -1), .high = std::vector<double>(6, 1)},
                           .objective_names = {"velocity", "effort"},
                           .max_episode_steps = 1000},
                          half_cheetah_model()) {}

 private:
  void draw_start(Random random, PhysicalState& state) const override {
    for (double& coordinate : state.qpos) coordinate += random.uniform(-kNoise, kNoise);
    for (double& velocity : state.qvel) velocity += kNoise * random.normal();
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    const double before = simulation().qpos()[0];
    simulation().step(action, kSubsteps);
    double effort = 0;
    for (const double torque : action) effort += torque * torque;
    reward[0] = static_cast<float>((simulation().qpos()[0] - before) / (kSubsteps * simulation().time_step()));
    reward[1] = static_cast<float>(-kEffortCost * effort);
    return false;
  }

  void write_observation(std::span<double> observation) const override {
    const auto qpos = simulation().qpos().subspan(1);
    const auto velocities = std::copy(qpos.begin(), qpos.end(), observation.begin());
    std::copy(simulation().qvel().begin(), simulation().qvel().end(), velocities);
  }
};

}  // namespace

const MujocoModel& half_cheetah_model() {
  static const MujocoModel kModel("mo-halfcheetah-v4", kHalfCheetahMjcf);
  return kModel;
}

std::unique_ptr<Environment> make_half_cheetah(std::string id) { return std::make_unique<HalfCheetah>(std::move(id)); }

}  // namespace paretofl
