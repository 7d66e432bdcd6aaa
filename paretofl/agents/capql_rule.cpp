#include "paretofl/agents/capql_rule.h"

#include <algorithm>
#include <cmath>

#include "paretofl/agents/bounded_actions.h"
#include "paretofl/agents/squashed_normal.h"

namespace paretofl {
namespace {

void draw_normal(Random& random, std::span<float> noise) {
  for (float& x : noise) x = static_cast<float>(random.normal());
}

}  // namespace

CapqlPolicy::CapqlPolicy(const CapqlShape& shape, const ActionSpace& actions, const Preference& preference)
    : shape_(shape), actions_(actions), actor_(shape.actor), input_(shape.actor.inputs()) {
  set_preference(std::vector<float>(preference.weights().begin(), preference.weights().end()));
}

std::span<const float> CapqlPolicy::outputs(std::span<const float> theta, std::span<const double> observation) {
  std::copy(observation.begin(), observation.end(), input_.begin());
  return actor_.forward_one(shape_.actor_of(theta), input_);
}

void CapqlPolicy::act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) {
  const auto mean = outputs(theta, observation).first(action.size());
  std::transform(mean.begin(), mean.end(), action.begin(), [](float x) { return std::tanh(x); });
  stretch_to_bounds(actions_, action, action);
}

void CapqlPolicy::set_preference(std::span<const float> preference) {
  std::ranges::copy(preference, input_.end() - static_cast<std::ptrdiff_t>(preference.size()));
}

CapqlRule::CapqlRule(const CapqlOptions& options, double rate, const ActionSpace& actions, const CapqlShape& shape,
                     const Preference& preference)
    : shape_(shape),
      actions_(actions),
      policy_(shape, actions, preference),
      update_(shape, {.gamma = options.base.gamma, .tau = options.tau, .alpha = options.alpha, .rate = rate}),
      targets_(shape.critic_parameters(), options.base.send_target),
      acting_(preference, options.acting) {}

void CapqlRule::start(std::span<const float> theta) {
  targets_.start(theta);
  update_.reset();
  acting_.begin_episode();  // also after a training that failed, perhaps within an episode
}

void CapqlRule::choose(std::span<const float> theta, std::span<const double> observation, std::int64_t, bool warming_up, Random& explore,
                       std::span<double> action, std::span<double> remembered) {
  policy_.set_preference(acting_.at_step(explore));
  if (warming_up) {
    for (double& x : remembered) x = explore.uniform(-1, 1);
  } else {
    std::vector<float> noise(shape_.actions());
    std::vector<float> drawn(shape_.actions());
    draw_normal(explore, noise);
    SquashedNormal{policy_.outputs(theta, observation), noise}.act(drawn);
    std::ranges::copy(drawn, remembered.begin());
  }
  stretch_to_bounds(actions_, remembered, action);
}

void CapqlRule::after_step(std::span<float>, std::int64_t, bool ended) {
  if (ended) acting_.begin_episode();
}

void CapqlRule::update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random& random) {
  const std::size_t m = shape_.objectives();
  draws_.preferences.resize(batch.size * m);
  draws_.next_noise.resize(batch.size * shape_.actions());
  draws_.noise.resize(batch.size * shape_.actions());
  for (std::size_t i = 0; i < batch.size; ++i) draw_weights(random, std::span(draws_.preferences).subspan(i * m, m));
  draw_normal(random, draws_.next_noise);
  draw_normal(random, draws_.noise);
  update_.step(theta.first(shape_.num_parameters()), targets_.of(theta), batch, draws_, proximal);
}

Record CapqlRule::save() const {
  Record state = update_.save();
  targets_.save(state);
  acting_.save(state);
  return state;
}

void CapqlRule::load(const Record& state) {
  update_.load(state);
  targets_.load(state);
  acting_.load(state);
}

}  // namespace paretofl
