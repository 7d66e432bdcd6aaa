#include "paretofl/environments/mountain_car.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr double kLeft = -1.2;
constexpr double kRight = 0.6;
constexpr double kGoal = 0.5;
constexpr double kMaxSpeed = 0.07;
constexpr double kForce = 0.001;
constexpr double kGravity = 0.0025;

double as_float(double value) { return static_cast<float>(value); }

class MountainCar : public Environment {
 public:
  explicit MountainCar(std::string id)
      : Environment({.id = std::move(id),
                     .observation = {ObservationSpace::Type::kFloat32,
                                     {as_float(kLeft), as_float(-kMaxSpeed)},
                                     {as_float(kRight), as_float(kMaxSpeed)}},
                     .action = {.choices = 3, .low = {}, .high = {}},
                     .objective_names = {"time", "backward", "forward"},
                     .max_episode_steps = 200}) {}

 private:
  void start(Random random) override {
    position_ = random.uniform(-0.6, -0.4);
    velocity_ = 0;
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    velocity_ += (action[0] - 1) * kForce + std::cos(3 * position_) * -kGravity;
    velocity_ = std::clamp(velocity_, -kMaxSpeed, kMaxSpeed);
    position_ = std::clamp(position_ + velocity_, kLeft, kRight);
    if (position_ == kLeft && velocity_ < 0) velocity_ = 0;
    const bool arrived = position_ >= kGoal && velocity_ >= 0;
    reward[0] = arrived ? 0 : -1;
    reward[1] = action[0] == 0 ? -1 : 0;
    reward[2] = action[0] == 2 ? -1 : 0;
    return arrived;
  }

  void write_observation(std::span<double> observation) const override {
    observation[0] = as_float(position_);
    observation[1] = as_float(velocity_);
  }

  Record save_state() const override {
    Record state;
    state.arrays.emplace("car", Array(std::array<double, 2>{position_, velocity_}));
    return state;
  }

  void load_state(const Record& state) override {
    const auto car = double_array(state, "car", 2);
    const bool possible = car[0] >= kLeft && car[0] <= kRight && car[1] >= -kMaxSpeed && car[1] <= kMaxSpeed;
    expect(possible, "{}: expected a car between {} and {}, found another", spec().id, kLeft, kRight);
    position_ = car[0];
    velocity_ = car[1];
  }

  double position_ = 0;
  double velocity_ = 0;
};

}  // namespace

std::unique_ptr<Environment> make_mountain_car(std::string id) { return std::make_unique<MountainCar>(std::move(id)); }

}  // namespace paretofl
