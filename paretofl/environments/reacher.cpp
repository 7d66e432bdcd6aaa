#include "paretofl/environments/reacher.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/environments/mujoco_environment.h"
#include "paretofl/environments/reacher_mjcf.h"

namespace paretofl {
namespace {

constexpr int kSubsteps = 2;
constexpr double kNoise = 0.005;
constexpr std::array<double, 10> kStart = {0, 3.1415 / 2, 0.14, 0, -0.14, 0, 0, 0.14, 0, -0.14};  ///< joints, then the targets' x and y

const MujocoModel& model() {
  static const MujocoModel kModel("reacher", kReacherMjcf);
  return kModel;
}

class Reacher : public MujocoEnvironment {
 public:
  Reacher(std::string id, ReacherTargets targets)
      : MujocoEnvironment({.id = std::move(id),
                           .observation = ObservationSpace::unbounded(ObservationSpace::Type::kFloat64, 6),
                           .action = {.choices = 9, .low = {}, .high = {}},
                           .objective_names = {"right_target", "left_target", "upper_target", "lower_target"},
                           .max_episode_steps = 50},
                          model()),
        moving_at_start_(targets == ReacherTargets::kDrifting ? 8 : 2),
        fingertip_(simulation().body_number("fingertip")),
        targets_{simulation().body_number("target_1"), simulation().body_number("target_2"), simulation().body_number("target_3"),
                 simulation().body_number("target_4")} {}

 private:
  void draw_start(Random random, PhysicalState& state) const override {
    std::copy(kStart.begin(), kStart.end(), state.qpos.begin());
    for (std::size_t i = 0; i < moving_at_start_; ++i) state.qvel[i] += random.uniform(-kNoise, kNoise);
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    const auto tip = simulation().body_position(fingertip_);
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      const auto target = simulation().body_position(targets_[k]);
      const double x = tip[0] - target[0];
      const double y = tip[1] - target[1];
      reward[k] = static_cast<float>(1 - 4 * std::sqrt(x * x + y * y));
    }
    const int choice = static_cast<int>(action[0]);
    const int shoulder = choice / 3 - 1;
    const int elbow = choice % 3 - 1;
    simulation().step(std::array<double, 2>{static_cast<double>(shoulder), static_cast<double>(elbow)}, kSubsteps);
    return false;
  }

  void write_observation(std::span<double> observation) const override {
    for (std::size_t joint = 0; joint < 2; ++joint) {
      observation[joint] = std::cos(simulation().qpos()[joint]);
      observation[2 + joint] = std::sin(simulation().qpos()[joint]);
      observation[4 + joint] = 0.1 * simulation().qvel()[joint];
    }
  }

  std::size_t moving_at_start_;  ///< coordinates whose velocities are drawn
  int fingertip_;                ///< body number
  std::array<int, 4> targets_;   ///< body numbers
};

}  // namespace

std::unique_ptr<Environment> make_reacher(std::string id, ReacherTargets targets) {
  return std::make_unique<Reacher>(std::move(id), targets);
}

}  // namespace paretofl
