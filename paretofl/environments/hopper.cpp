#include "paretofl/environments/hopper.h"

#include <algorithm>
#include <cmath>

#include "paretofl/environments/hopper_mjcf.h"
#include "paretofl/environments/mujoco_environment.h"

namespace paretofl {
namespace {

constexpr int kSubsteps = 4;
constexpr double kNoise = 0.005;
constexpr double kStartHeight = 1.25;
constexpr double kLowest = 0.7;
constexpr double kSteepest = 0.2;
constexpr double kFarthest = 100;
constexpr double kFastestSeen = 10;
constexpr float kSurvival = 1;

class Hopper : public MujocoEnvironment {
 public:
  explicit Hopper(std::string id)
      : MujocoEnvironment({.id = std::move(id),
                           .observation = ObservationSpace::unbounded(ObservationSpace::Type::kFloat64, 11),
                           .action = {.choices = 0, .low = std::vector<double>(3, -1), .high = std::vector<double>(3, 1)},
                           .objective_names = {"velocity", "height", "effort"},
                           .max_episode_steps = 1000},
                          hopper_model()) {}

 private:
  void draw_start(Random random, PhysicalState& state) const override {
    for (double& coordinate : state.qpos) coordinate += random.uniform(-kNoise, kNoise);
    for (double& velocity : state.qvel) velocity += random.uniform(-kNoise, kNoise);
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    const double before = simulation().qpos()[0];
    simulation().step(action, kSubsteps);
    double effort = 0;
    for (const double torque : action) effort += torque * torque;
    reward[0] = static_cast<float>((simulation().qpos()[0] - before) / (kSubsteps * simulation().time_step())) + kSurvival;
    reward[1] = static_cast<float>(10 * (simulation().qpos()[1] - kStartHeight)) + kSurvival;
    reward[2] = static_cast<float>(-effort) + kSurvival;
    return fallen();
  }

  void write_observation(std::span<double> observation) const override {
    const auto qpos = simulation().qpos().subspan(1);
    const auto velocities = std::copy(qpos.begin(), qpos.end(), observation.begin());
    std::transform(simulation().qvel().begin(), simulation().qvel().end(), velocities,
                   [](double velocity) { return std::clamp(velocity, -kFastestSeen, kFastestSeen); });
  }

  bool fallen() const {
    const auto far = [](double value) { return std::abs(value) >= kFarthest; };
    const auto qpos = simulation().qpos();
    const auto qvel = simulation().qvel();
    return qpos[1] <= kLowest || std::abs(qpos[2]) >= kSteepest || std::any_of(qpos.begin() + 2, qpos.end(), far) ||
           std::any_of(qvel.begin(), qvel.end(), far);
  }
};

}  // namespace

const MujocoModel& hopper_model() {
  static const MujocoModel kModel("mo-hopper-v4", kHopperMjcf);
  return kModel;
}

std::unique_ptr<Environment> make_hopper(std::string id) { return std::make_unique<Hopper>(std::move(id)); }

}  // namespace paretofl
