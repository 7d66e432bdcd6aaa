#include "paretofl/environments/minecart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

enum Action { kMine, kLeft, kRight, kAccelerate, kBrake, kNone };

struct Mine {
  double x;
  double y;
  std::array<double, 2> ores;  ///< mean per substep
};

constexpr std::array<Mine, 5> kMines = {
    {{0.16, 0.84, {0.2, 0}}, {0.5, 0.84, {0.15, 0.1}}, {0.84, 0.84, {0.2, 0.2}}, {0.84, 0.5, {0.1, 0.15}}, {0.84, 0.16, {0, 0.2}}}};
constexpr double kDeviation = 0.05;
constexpr double kCapacity = 1.5;
constexpr double kMineRadius = 0.14;
constexpr double kBaseRadius = 0.15;
constexpr double kRotation = 10;
constexpr double kAcceleration = 0.0075;
constexpr double kMaxSpeed = 1;
constexpr double kStandstill = 0.001;  ///< below this speed the cart stands
constexpr int kSubsteps = 4;
constexpr double kFuelIdle = -0.005;
constexpr double kFuelAccelerate = -0.025;
constexpr double kFuelMine = -0.05;

double length(double x, double y) { return std::sqrt(x * x + y * y); }

/// Into [0, 360), as Python's remainder.
double wrapped(double angle) {
  const double rest = std::fmod(angle, 360.0);
  return rest < 0 ? rest + 360.0 : rest;
}

double as_float(double value) { return static_cast<float>(value); }

struct Cart {
  double x = 0;
  double y = 0;
  double speed = 0;   ///< per substep
  double angle = 45;  ///< degrees; from x towards y
  std::array<double, 2> content{};
  bool departed = false;  ///< has left the base
};

class Minecart : public Environment {
 public:
  Minecart(std::string id, MinecartYield yield)
      : Environment({.id = std::move(id),
                     .observation = {ObservationSpace::Type::kFloat32, std::vector<double>(7, -1), std::vector<double>(7, 1)},
                     .action = {.choices = 6, .low = {}, .high = {}},
                     .objective_names = {"first_ore", "second_ore", "fuel"},
                     .max_episode_steps = 1000}),
        yield_(yield) {}

 private:
  void start(Random) override { cart_ = {}; }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    const int what = static_cast<int>(action[0]);
    reward[0] = reward[1] = 0;
    reward[2] = as_float(kFuelIdle * kSubsteps);
    if (what == kAccelerate) reward[2] = as_float(reward[2] + kFuelAccelerate * kSubsteps);
    if (what == kMine) reward[2] = as_float(reward[2] + kFuelMine * kSubsteps);
    Random random = step_random();
    bool home = false;
    for (int substep = 0; substep < kSubsteps; ++substep) {
      if (what == kMine) mine(random);
      if (what == kLeft) cart_.angle = wrapped(cart_.angle - kRotation);
      if (what == kRight) cart_.angle = wrapped(cart_.angle + kRotation);
      if (what == kAccelerate) cart_.speed = std::clamp(cart_.speed + kAcceleration, 0.0, kMaxSpeed);
      if (what == kBrake) cart_.speed = 0;
      // A cart that came home in the substep before has just acted once more, and moves no further.
      if (home) break;
      move();
      if (length(cart_.x, cart_.y) >= kBaseRadius) {
        cart_.departed = true;
      } else if (cart_.departed) {
        home = true;
        for (std::size_t ore = 0; ore < 2; ++ore) reward[ore] = as_float(reward[ore] + cart_.content[ore]);
        cart_.content = {};
      }
    }
    return home;
  }

  void write_observation(std::span<double> observation) const override {
    const double angle = cart_.angle * (std::numbers::pi / 180);
    observation[0] = as_float(cart_.x);
    observation[1] = as_float(cart_.y);
    observation[2] = as_float(cart_.speed);
    observation[3] = as_float(std::sin(angle));
    observation[4] = as_float(std::cos(angle));
    observation[5] = as_float(cart_.content[0] / kCapacity);
    observation[6] = as_float(cart_.content[1] / kCapacity);
  }

  Record save_state() const override {
    Record state;
    state.arrays.emplace("cart",
                         Array(std::array<double, 6>{cart_.x, cart_.y, cart_.speed, cart_.angle, cart_.content[0], cart_.content[1]}));
    state.scalars.emplace("departed", cart_.departed ? 1 : 0);
    return state;
  }

  void load_state(const Record& state) override {
    const auto numbers = double_array(state, "cart", 6);
    const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
    const bool possible = within(numbers[0], 0, 1) && within(numbers[1], 0, 1) && within(numbers[2], 0, 2) && std::isfinite(numbers[3]) &&
                          within(numbers[4], -1e-6, kCapacity + 1e-6) && within(numbers[5], -1e-6, kCapacity + 1e-6);
    expect(possible, "{}: expected a cart within the square and its capacity, found another", spec().id);
    cart_ = {.x = numbers[0],
             .y = numbers[1],
             .speed = numbers[2],
             .angle = numbers[3],
             .content = {numbers[4], numbers[5]},
             .departed = state.scalar("departed") != 0};
  }

  void mine(Random& random) {
    if (cart_.speed >= kStandstill) return;
    const auto distance = [this](const Mine& mine) { return length(cart_.x - mine.x, cart_.y - mine.y); };
    const Mine& nearest =
        *std::min_element(kMines.begin(), kMines.end(), [&](const Mine& a, const Mine& b) { return distance(a) < distance(b); });
    if (distance(nearest) > kMineRadius) return;
    std::array<double, 2> mined = nearest.ores;
    if (yield_ == MinecartYield::kRandom) {
      for (double& amount : mined) amount = std::max(0.0, amount + kDeviation * random.normal());
    }
    const double free = kCapacity - (cart_.content[0] + cart_.content[1]);
    const double total = mined[0] + mined[1];
    const double share = total > free ? free / total : 1;
    for (std::size_t ore = 0; ore < 2; ++ore) cart_.content[ore] += mined[ore] * share;
  }

  /// Along the heading, at most to a wall; a cart that slides along a wall turns towards it.
  void move() {
    if (cart_.speed < kStandstill) return;
    const double vx = cart_.speed * std::cos(cart_.angle * std::numbers::pi / 180);
    const double vy = cart_.speed * std::sin(cart_.angle * std::numbers::pi / 180);
    const double x = cart_.x;
    const double y = cart_.y;
    if (y != 0 && y != 1 && std::abs(vy) > kStandstill) {
      if (x == 1 && vx > 0) cart_.angle += std::copysign(kRotation, vy);
      if (x == 0 && vx < 0) cart_.angle -= std::copysign(kRotation, vy);
    }
    if (x != 0 && x != 1 && std::abs(vx) > kStandstill) {
      if (y == 1 && vy > 0) cart_.angle -= std::copysign(kRotation, vx);
      if (y == 0 && vy < 0) cart_.angle += std::copysign(kRotation, vx);
    }
    cart_.x = std::clamp(x + vx, 0.0, 1.0);
    cart_.y = std::clamp(y + vy, 0.0, 1.0);
    cart_.speed = length(x - cart_.x, y - cart_.y);
  }

  MinecartYield yield_;
  Cart cart_;
};

}  // namespace

std::unique_ptr<Environment> make_minecart(std::string id, MinecartYield yield) { return std::make_unique<Minecart>(std::move(id), yield); }

}  // namespace paretofl
