#include "paretofl/agents/ddpg_rule.h"

#include <algorithm>

namespace paretofl {

std::span<const float> ActorPolicy::scaled_action(std::span<const float> theta, std::span<const double> observation) {
  std::copy(observation.begin(), observation.end(), input_.begin());
  return network_.forward_one(shape_.actor_of(theta), input_);
}

void ActorPolicy::stretch(std::span<const double> scaled, std::span<double> action) const {
  for (std::size_t i = 0; i < action.size(); ++i) {
    action[i] = actions_.low[i] + 0.5 * (scaled[i] + 1) * (actions_.high[i] - actions_.low[i]);
  }
}

void ActorPolicy::act(std::span<const float> theta, std::span<const double> observation, std::span<double> action) {
  const auto scaled = scaled_action(theta, observation);
  std::copy(scaled.begin(), scaled.end(), action.begin());
  stretch(action, action);
}

DdpgRule::DdpgRule(const DdpgOptions& options, double rate, const ActionSpace& actions, const ActorCriticShape& shape)
    : noise_(options.noise),
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
  policy_.stretch(remembered, action);
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
