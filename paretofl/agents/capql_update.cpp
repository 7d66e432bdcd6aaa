#include "paretofl/agents/capql_update.h"

#include <algorithm>
#include <cmath>

#include "paretofl/agents/squashed_normal.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Appends row i of a batch [n, width].
void append(std::vector<float>& inputs, std::span<const float> rows, std::size_t i, std::size_t width) {
  inputs.insert(inputs.end(), rows.data() + i * width, rows.data() + (i + 1) * width);
}

}  // namespace

CapqlUpdate::CapqlUpdate(const CapqlShape& shape, Options options)
    : shape_(shape),
      options_(options),
      actor_(shape.actor),
      critics_{DenseNet(shape.critic), DenseNet(shape.critic)},
      critic_adam_(shape.critic_parameters(), options.rate),
      actor_adam_(shape.actor.num_parameters(), options.rate) {}

void CapqlUpdate::draw_actions(std::span<const float> theta, std::span<const float> observations, std::span<const float> preferences,
                               std::span<const float> noise, std::size_t n) {
  inputs_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    append(inputs_, observations, i, shape_.observations());
    append(inputs_, preferences, i, shape_.objectives());
  }
  const auto outputs = actor_.forward(shape_.actor_of(theta), inputs_, n);
  actor_outputs_.assign(outputs.begin(), outputs.end());
  const std::size_t a = shape_.actions();
  actions_.resize(n * a);
  densities_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const SquashedNormal distribution{outputs.subspan(i * 2 * a, 2 * a), noise.subspan(i * a, a)};
    densities_[i] = distribution.act(std::span(actions_).subspan(i * a, a));
  }
}

std::array<std::span<const float>, 2> CapqlUpdate::value(std::span<const float> critics, std::span<const float> observations,
                                                         std::span<const float> actions, std::span<const float> preferences,
                                                         std::size_t n) {
  inputs_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    append(inputs_, observations, i, shape_.observations());
    append(inputs_, actions, i, shape_.actions());
    append(inputs_, preferences, i, shape_.objectives());
  }
  return {critics_[0].forward(shape_.critic_of(critics, 0), inputs_, n), critics_[1].forward(shape_.critic_of(critics, 1), inputs_, n)};
}

double CapqlUpdate::step_critics(std::span<float> theta, std::span<const float> targets, const TransitionBatch& batch,
                                 const CapqlDraws& draws, const ProximalTerm& proximal) {
  const std::size_t n = batch.size;
  const std::size_t m = shape_.objectives();
  draw_actions(theta, batch.next_observations, draws.preferences, draws.next_noise, n);
  const auto next = value(targets, batch.next_observations, actions_, draws.preferences, n);
  const auto gamma = static_cast<float>(options_.gamma);
  const auto alpha = static_cast<float>(options_.alpha);
  targets_.resize(n * m);
  for (std::size_t p = 0; p < n * m; ++p) {
    const float augmented = std::min(next[0][p], next[1][p]) - alpha * densities_[p / m];
    targets_[p] = batch.rewards[p] + batch.continues[p / m] * gamma * augmented;
  }

  const std::span<float> critics = theta.first(shape_.critic_parameters());
  const auto values = value(critics, batch.observations, batch.actions, draws.preferences, n);
  gradient_.resize(critics.size());
  output_gradient_.resize(n * m);
  const float share = 1 / static_cast<float>(2 * n * m);
  double loss = 0;
  for (std::size_t j = 0; j < critics_.size(); ++j) {
    for (std::size_t p = 0; p < n * m; ++p) {
      const float error = values[j][p] - targets_[p];
      loss += static_cast<double>(error) * error * share;
      output_gradient_[p] = 2 * error * share;
    }
    critics_[j].backward(shape_.critic_of(critics, j), output_gradient_, shape_.critic_of(std::span(gradient_), j));
  }
  expect(std::isfinite(loss), "capql: expected a finite loss of the critics, found {}", loss);
  proximal.add_to(gradient_, critics);
  critic_adam_.step(gradient_, critics);
  return loss;
}

double CapqlUpdate::step_actor(std::span<float> theta, const TransitionBatch& batch, const CapqlDraws& draws,
                               const ProximalTerm& proximal) {
  const std::size_t n = batch.size;
  const std::size_t m = shape_.objectives();
  const std::size_t a = shape_.actions();
  const std::size_t width = shape_.critic.inputs();
  const auto alpha = static_cast<float>(options_.alpha);
  const std::span<const float> critics = theta.first(shape_.critic_parameters());
  draw_actions(theta, batch.observations, draws.preferences, draws.noise, n);
  const auto values = value(critics, batch.observations, actions_, draws.preferences, n);
  double loss = 0;
  for (std::size_t i = 0; i < n; ++i) loss += alpha * densities_[i];
  for (std::size_t p = 0; p < n * m; ++p) loss -= draws.preferences[p] * std::min(values[0][p], values[1][p]);
  loss /= static_cast<double>(n);
  expect(std::isfinite(loss), "capql: expected a finite loss of the actor, found {}", loss);

  action_gradient_.assign(n * a, 0);
  input_gradient_.resize(n * width);
  for (std::size_t j = 0; j < critics_.size(); ++j) {  // each where it is the smaller one, the first where they are equal
    output_gradient_.assign(n * m, 0);
    for (std::size_t p = 0; p < n * m; ++p) {
      const bool second = values[1][p] < values[0][p];
      if (second == (j == 1)) output_gradient_[p] = -draws.preferences[p] / static_cast<float>(n);
    }
    critics_[j].backward(shape_.critic_of(critics, j), output_gradient_, {}, input_gradient_);
    for (std::size_t i = 0; i < n * a; ++i) action_gradient_[i] += input_gradient_[i / a * width + shape_.observations() + i % a];
  }

  const std::span<float> actor = shape_.actor_of(theta);
  output_gradient_.resize(n * 2 * a);
  for (std::size_t i = 0; i < n; ++i) {
    const SquashedNormal distribution{std::span(actor_outputs_).subspan(i * 2 * a, 2 * a), std::span(draws.noise).subspan(i * a, a)};
    distribution.backward(std::span(actions_).subspan(i * a, a), std::span(action_gradient_).subspan(i * a, a),
                          alpha / static_cast<float>(n), std::span(output_gradient_).subspan(i * 2 * a, 2 * a));
  }
  gradient_.resize(actor.size());
  actor_.backward(actor, output_gradient_, gradient_);
  proximal.add_to(gradient_, actor, shape_.critic_parameters());
  actor_adam_.step(gradient_, actor);
  return loss;
}

CapqlLosses CapqlUpdate::step(std::span<float> theta, std::span<float> targets, const TransitionBatch& batch, const CapqlDraws& draws,
                              const ProximalTerm& proximal) {
  CapqlLosses losses;
  losses.critic = step_critics(theta, targets, batch, draws, proximal);
  losses.actor = step_actor(theta, batch, draws, proximal);
  const auto tau = static_cast<float>(options_.tau);
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = (1 - tau) * targets[i] + tau * theta[i];
  return losses;
}

void CapqlUpdate::reset() {
  critic_adam_.reset();
  actor_adam_.reset();
}

Record CapqlUpdate::save() const {
  Record state;
  state.records.emplace("critic_adam", critic_adam_.save());
  state.records.emplace("actor_adam", actor_adam_.save());
  return state;
}

void CapqlUpdate::load(const Record& state) {
  critic_adam_.load(state.record("critic_adam"));
  actor_adam_.load(state.record("actor_adam"));
}

}  // namespace paretofl
