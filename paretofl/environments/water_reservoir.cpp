#include "paretofl/environments/water_reservoir.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr double kDamCapacity = 100;
constexpr double kFloodLevel = 50;
constexpr double kWaterDemand = 50;
constexpr double kMeanInflow = 40;
constexpr double kInflowDeviation = 10;
constexpr double kLargestRelease = 200;
constexpr std::array<float, 10> kFirstLevels = {96.855361F, 58.046026F, 116.15767F, 20.164311F, 79.191F,
                                                140.13098F, 131.01816F, 44.351321F, 13.185943F, 73.508622F};

class WaterReservoir : public Environment {
 public:
  explicit WaterReservoir(std::string id)
      : Environment({.id = std::move(id),
                     .observation = {ObservationSpace::Type::kFloat32, {0}, {kInfinity}},
                     .action = {.choices = 0, .low = {0}, .high = {kLargestRelease}},
                     .objective_names = {"flooding", "deficit"},
                     .max_episode_steps = 100}) {}

 private:
  void start(Random random) override { level_ = kFirstLevels[random.below(kFirstLevels.size())]; }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    const double inflow = kMeanInflow + kInflowDeviation * step_random().normal();
    const ReservoirDay day = reservoir_day(level_, action[0], inflow);
    level_ = day.level;
    std::copy(day.reward.begin(), day.reward.end(), reward.begin());
    return false;
  }

  void write_observation(std::span<double> observation) const override { observation[0] = level_; }

  Record save_state() const override {
    Record state;
    state.arrays.emplace("level", Array(std::array<double, 1>{level_}));
    return state;
  }

  void load_state(const Record& state) override {
    const double level = double_array(state, "level", 1)[0];
    expect(level >= 0 && std::isfinite(level), "{}: expected a level of at least 0, found {}", spec().id, level);
    level_ = static_cast<float>(level);
  }

  double level_ = 0;
};

}  // namespace

ReservoirDay reservoir_day(double level, double release, double inflow) {
  const auto full = static_cast<float>(level);
  const float released = std::clamp(static_cast<float>(release), std::max(full - static_cast<float>(kDamCapacity), 0.0F), full);
  const auto left = static_cast<float>(std::max(full + inflow - released, 0.0));
  return {
      .level = left,
      .reward = {-std::max(left - static_cast<float>(kFloodLevel), 0.0F), -std::max(static_cast<float>(kWaterDemand) - released, 0.0F)}};
}

std::unique_ptr<Environment> make_water_reservoir(std::string id) { return std::make_unique<WaterReservoir>(std::move(id)); }

}  // namespace paretofl
