#include "paretofl/agents/ddpg_rule.h"

#include <algorithm>

#include "paretofl/agents/bounded_actions.h"

namespace paretofl {

std::span<const float> ActorPolicy::scaled_action(std::span<const float> theta, std::span<const double> observation) {
  std::copy(observation.begin(), observation.end(), input_.begin());
  return network_.forward_one(shape_.actor_of(theta), input_);
}

void ActorPolicy::act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) {
  const auto scaled = scaled_action(theta, observation);
  std::copy(scaled.begin(), scaled.end(), action.begin());
  stretch_to_bounds(actions_, action, action);
}

DdpgRule::DdpgRule(const DdpgOptions& options, double rate, const ActionSpace& actions, const ActorCriticShape& shape)
    : noise_(options.noise),
      actions_(actions),
      policy_(shape, actions),
      update_(shape, {.gamma = options.base.gamma, .tau = options.tau, .rate = rate}),
      targets_(shape.num_parameters(), options.base.send_target) {}

void DdpgRule::start(std::span<const float> theta) {
  targets_.start(theta);
  update_.reset();
}

void DdpgRule::choose(std::span<const float> theta, std::span<const double> observation, std::int64_t, bool warming_up, Random& explore,
                      std::span<double> action, std::span<double> remembered) {
  if (warming_up) {
    for (double& x : remembered) x = explore.uniform(-1, 1);
  } else {
    const auto scaled = policy_.scaled_action(theta, observation);
    std::copy(scaled.begin(), scaled.end(), remembered.begin());
  }
  if (noise_ > 0) {
    for (double& x : remembered) x = std::clamp(x + noise_ * explore.normal(), -1.0, 1.0);
  }
  stretch_to_bounds(actions_, remembered, action);
}

void DdpgRule::update(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal, Random&) {
  update_.step(targets_.trained(theta), targets_.of(theta), batch, proximal);
}

Record DdpgRule::save() const {
  Record state = update_.save();
  targets_.save(state);
  return state;
}

void DdpgRule::load(const Record& state) {
  update_.load(state);
  targets_.load(state);
}

}  // namespace paretofl
