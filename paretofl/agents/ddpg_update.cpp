#include "paretofl/agents/ddpg_update.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

DdpgUpdate::DdpgUpdate(const ActorCriticShape& shape, Options options)
    : shape_(shape),
      options_(options),
      actor_(shape.actor),
      critic_(shape.critic),
      actor_adam_(shape.actor.num_parameters(), options.rate),
      critic_adam_(shape.critic.num_parameters(), options.rate) {}

std::span<const float> DdpgUpdate::side_by_side(std::span<const float> observations, std::span<const float> actions, std::size_t n) {
  const std::size_t d = shape_.actor.inputs();
  const std::size_t a = shape_.actor.outputs();
  inputs_.resize(n * (d + a));
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(observations.data() + i * d, d, inputs_.data() + i * (d + a));
    std::copy_n(actions.data() + i * a, a, inputs_.data() + i * (d + a) + d);
  }
  return inputs_;
}

double DdpgUpdate::step_critic(std::span<float> theta, std::span<const float> targets, const TransitionBatch& batch,
                               const ProximalTerm& proximal) {
  const std::size_t n = batch.size;
  const auto next_actions = actor_.forward(shape_.actor_of(targets), batch.next_observations, n);
  const auto next_values = critic_.forward(shape_.critic_of(targets), side_by_side(batch.next_observations, next_actions, n), n);
  targets_.resize(n);
  const auto gamma = static_cast<float>(options_.gamma);
  for (std::size_t i = 0; i < n; ++i) targets_[i] = batch.rewards[i] + batch.continues[i] * gamma * next_values[i];

  const std::span<float> critic = shape_.critic_of(theta);
  const auto values = critic_.forward(critic, side_by_side(batch.observations, batch.actions, n), n);
  double loss = 0;
  output_gradient_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const float error = values[i] - targets_[i];
    loss += static_cast<double>(error) * error / static_cast<double>(n);
    output_gradient_[i] = 2 * error / static_cast<float>(n);
  }
  expect(std::isfinite(loss), "ddpg: expected a finite loss of the critic, found {}", loss);
  gradient_.resize(critic.size());
  critic_.backward(critic, output_gradient_, gradient_);
  proximal.add_to(gradient_, critic, shape_.actor.num_parameters());
  critic_adam_.step(gradient_, critic);
  return loss;
}

double DdpgUpdate::step_actor(std::span<float> theta, const TransitionBatch& batch, const ProximalTerm& proximal) {
  const std::size_t n = batch.size;
  const std::size_t d = shape_.actor.inputs();
  const std::size_t a = shape_.actor.outputs();
  const std::span<float> actor = shape_.actor_of(theta);
  const auto actions = actor_.forward(actor, batch.observations, n);
  const auto values = critic_.forward(shape_.critic_of(theta), side_by_side(batch.observations, actions, n), n);
  double loss = 0;
  for (const float value : values) loss -= value / static_cast<double>(n);
  output_gradient_.assign(n, -1.0F / static_cast<float>(n));
  input_gradient_.resize(n * (d + a));
  critic_.backward(shape_.critic_of(theta), output_gradient_, {}, input_gradient_);
  output_gradient_.resize(n * a);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(input_gradient_.data() + i * (d + a) + d, a, output_gradient_.data() + i * a);
  gradient_.resize(actor.size());
  actor_.backward(actor, output_gradient_, gradient_);
  proximal.add_to(gradient_, actor);
  actor_adam_.step(gradient_, actor);
  return loss;
}

DdpgLosses DdpgUpdate::step(std::span<float> theta, std::span<float> targets, const TransitionBatch& batch, const ProximalTerm& proximal) {
  DdpgLosses losses;
  losses.critic = step_critic(theta, targets, batch, proximal);
  losses.actor = step_actor(theta, batch, proximal);
  const auto tau = static_cast<float>(options_.tau);
  for (std::size_t i = 0; i < theta.size(); ++i) targets[i] = (1 - tau) * targets[i] + tau * theta[i];
  return losses;
}

void DdpgUpdate::reset() {
  actor_adam_.reset();
  critic_adam_.reset();
}

Record DdpgUpdate::save() const {
  Record state;
  state.records.emplace("actor_adam", actor_adam_.save());
  state.records.emplace("critic_adam", critic_adam_.save());
  return state;
}

void DdpgUpdate::load(const Record& state) {
  actor_adam_.load(state.record("actor_adam"));
  critic_adam_.load(state.record("critic_adam"));
}

}  // namespace paretofl
