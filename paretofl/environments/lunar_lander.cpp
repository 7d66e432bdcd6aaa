#include "paretofl/environments/lunar_lander.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

LunarLanderEpisode::Dispersion draw_dispersion(Random& random) {
  const double first = random.uniform(-1, 1);
  return {first, random.uniform(-1, 1)};
}

ActionSpace action_space(LanderEngines engines) {
  if (engines == LanderEngines::kDiscrete) return {.choices = 4, .low = {}, .high = {}};
  return {.choices = 0, .low = {-1, -1}, .high = {1, 1}};
}

/// Nothing holds the lander in the published bounds, so there are none but those of the legs.
ObservationSpace observation_space() {
  ObservationSpace space = ObservationSpace::unbounded(ObservationSpace::Type::kFloat32, 8);
  for (std::size_t leg = 6; leg < 8; ++leg) {
    space.low[leg] = 0;
    space.high[leg] = 1;
  }
  return space;
}

class LunarLander : public Environment {
 public:
  LunarLander(std::string id, LanderEngines engines)
      : Environment({.id = std::move(id),
                     .observation = observation_space(),
                     .action = action_space(engines),
                     .objective_names = {"landing", "shaping", "main_engine", "side_engines"},
                     .max_episode_steps = 1000}),
        engines_(engines) {}

 private:
  void start(Random random) override {
    LunarLanderEpisode::Draws draws;
    for (double& height : draws.terrain) height = random.uniform(0, LunarLanderEpisode::kHeight / 2);
    for (double& force : draws.force) force = random.uniform(-LunarLanderEpisode::kInitialForce, LunarLanderEpisode::kInitialForce);
    draws.dispersion = draw_dispersion(random);
    episode_ = std::make_unique<LunarLanderEpisode>(draws);
    actions_.clear();
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    actions_.insert(actions_.end(), action.begin(), action.end());
    return play(action, step_random(steps()), reward);
  }

  void write_observation(std::span<double> observation) const override {
    std::transform(episode_->observation().begin(), episode_->observation().end(), observation.begin(),
                   [](double value) { return static_cast<float>(value); });
  }

  Record save_state() const override {
    Record state;
    state.arrays.emplace("actions", Array(actions_));
    return state;
  }

  void load_state(const Record& state) override {
    const std::size_t width = spec().action.size();
    const auto count = static_cast<std::size_t>(steps());
    const auto saved = double_array(state, "actions", count * width);
    for (std::size_t i = 0; i < count; ++i) spec().action.check(saved.subspan(i * width, width), spec().id);
    start(start_random());
    actions_.assign(saved.begin(), saved.end());
    std::array<double, 4> reward{};
    bool terminated = false;
    for (std::size_t i = 0; i < count; ++i) {
      expect(!terminated, "{}: expected an episode of {} steps, found one that ends at step {}", spec().id, count, i);
      terminated = play(saved.subspan(i * width, width), step_random(static_cast<std::int64_t>(i) + 1), reward);
    }
    expect(ended() == (terminated || steps() == spec().max_episode_steps), "{}: expected an episode that {} after {} steps, found another",
           spec().id, ended() ? "has ended" : "goes on", count);
  }

  bool play(std::span<const double> action, Random random, std::span<double> reward) {
    const LanderThrust thrust =
        engines_ == LanderEngines::kDiscrete ? discrete_thrust(static_cast<int>(action[0])) : continuous_thrust(action[0], action[1]);
    return episode_->step(thrust, draw_dispersion(random), reward);
  }

  LanderEngines engines_;
  std::unique_ptr<LunarLanderEpisode> episode_;
  std::vector<double> actions_;  ///< [steps so far, A]
};

}  // namespace

LanderThrust discrete_thrust(int action) { return {.main = action == 2 ? 1.0 : 0.0, .side = action == 1 ? -1.0 : action == 3 ? 1.0 : 0.0}; }

LanderThrust continuous_thrust(double main, double side) {
  const double up = static_cast<float>(std::clamp(main, -1.0, 1.0));
  const double across = static_cast<float>(std::clamp(side, -1.0, 1.0));
  return {.main = up > 0 ? (up + 1) * 0.5 : 0.0, .side = std::abs(across) > 0.5 ? across : 0.0};
}

std::unique_ptr<Environment> make_lunar_lander(std::string id, LanderEngines engines) {
  return std::make_unique<LunarLander>(std::move(id), engines);
}

}  // namespace paretofl
