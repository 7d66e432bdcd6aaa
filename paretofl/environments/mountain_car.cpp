#include "paretofl/environments/mountain_car.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr double kLeft = -1.2;
constexpr double kRight = 0.6;
constexpr double kMaxSpeed = 0.07;
constexpr double kGravity = 0.0025;

double as_float(double value) { return static_cast<float>(value); }

std::string name_of(CarObjective objective) {
  constexpr std::array<const char*, 5> kNames = {"time", "backward", "forward", "moves", "speed"};
  return kNames[static_cast<std::size_t>(objective)];
}

/// What both cars share: the valley, and where an episode starts.
class CarInValley : public Environment {
 protected:
  CarInValley(std::string id, ActionSpace action, std::vector<std::string> objectives, std::int64_t max_episode_steps, double goal)
      : Environment({.id = std::move(id),
                     .observation = {ObservationSpace::Type::kFloat32,
                                     {as_float(kLeft), as_float(-kMaxSpeed)},
                                     {as_float(kRight), as_float(kMaxSpeed)}},
                     .action = std::move(action),
                     .objective_names = std::move(objectives),
                     .max_episode_steps = max_episode_steps}),
        goal_(goal) {}

  /// One step under an acceleration by the engine.
  void roll(double engine) {
    velocity_ += engine + std::cos(3 * position_) * -kGravity;
    velocity_ = std::clamp(velocity_, -kMaxSpeed, kMaxSpeed);
    position_ = std::clamp(position_ + velocity_, kLeft, kRight);
    if (position_ == kLeft && velocity_ < 0) velocity_ = 0;
  }
  void round_to_float() {
    position_ = as_float(position_);
    velocity_ = as_float(velocity_);
  }
  bool arrived() const { return position_ >= goal_ && velocity_ >= 0; }
  double speed() const { return std::abs(velocity_); }

 private:
  void start(Random random) final {
    position_ = random.uniform(-0.6, -0.4);
    velocity_ = 0;
  }

  void write_observation(std::span<double> observation) const final {
    observation[0] = as_float(position_);
    observation[1] = as_float(velocity_);
  }

  Record save_state() const final {
    Record state;
    state.arrays.emplace("car", Array(std::array<double, 2>{position_, velocity_}));
    return state;
  }

  void load_state(const Record& state) final {
    const auto car = double_array(state, "car", 2);
    // A bound may have been rounded to float32.
    const bool possible = car[0] >= as_float(kLeft) && car[0] <= as_float(kRight) && std::abs(car[1]) <= as_float(kMaxSpeed);
    expect(possible, "{}: expected a car between {} and {}, found another", spec().id, kLeft, kRight);
    position_ = car[0];
    velocity_ = car[1];
  }

  double goal_;
  double position_ = 0;
  double velocity_ = 0;
};

class MountainCar : public CarInValley {
 public:
  MountainCar(std::string id, const std::vector<CarObjective>& objectives)
      : CarInValley(std::move(id), {.choices = 3, .low = {}, .high = {}}, names(objectives), 200, 0.5), objectives_(objectives) {}

 private:
  static std::vector<std::string> names(const std::vector<CarObjective>& objectives) {
    std::vector<std::string> result;
    for (const CarObjective objective : objectives) result.push_back(name_of(objective));
    return result;
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    constexpr double kForce = 0.001;
    roll((action[0] - 1) * kForce);
    for (std::size_t k = 0; k < reward.size(); ++k) reward[k] = earned(objectives_[k], action[0]);
    return arrived();
  }

  double earned(CarObjective objective, double action) const {
    switch (objective) {
      case CarObjective::kTime:
        return arrived() ? 0 : -1;
      case CarObjective::kBackward:
        return action == 0 ? -1 : 0;
      case CarObjective::kForward:
        return action == 2 ? -1 : 0;
      case CarObjective::kMoves:
        return action == 1 ? 0 : -1;
      default:
        return as_float(15 * speed());
    }
  }

  std::vector<CarObjective> objectives_;
};

class ContinuousMountainCar : public CarInValley {
 public:
  explicit ContinuousMountainCar(std::string id)
      : CarInValley(std::move(id), {.choices = 0, .low = {-1}, .high = {1}}, {"time", "fuel"}, 999, 0.45) {}

 private:
  bool advance(std::span<const double> action, std::span<double> reward) override {
    constexpr double kPower = 0.0015;
    roll(std::clamp(action[0], -1.0, 1.0) * kPower);
    reward[0] = arrived() ? 0 : -1;
    reward[1] = as_float(-action[0] * action[0]);
    const bool end = arrived();
    round_to_float();
    return end;
  }
};

}  // namespace

std::unique_ptr<Environment> make_mountain_car(std::string id, const std::vector<CarObjective>& objectives) {
  return std::make_unique<MountainCar>(std::move(id), objectives);
}

std::unique_ptr<Environment> make_continuous_mountain_car(std::string id) { return std::make_unique<ContinuousMountainCar>(std::move(id)); }

}  // namespace paretofl
