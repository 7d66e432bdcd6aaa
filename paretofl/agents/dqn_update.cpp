#include "paretofl/agents/dqn_update.h"

#include <algorithm>
#include <cmath>

#include "paretofl/agents/clip_to_norm.h"
#include "paretofl/core/error.h"

namespace paretofl {
DqnUpdate::DqnUpdate(const DenseShape& shape, Options options)
    : options_(options), network_(shape), adam_(shape.num_parameters(), options.rate), gradient_(shape.num_parameters()) {}

double DqnUpdate::step(std::span<float> theta, std::span<const float> target, const TransitionBatch& batch, const ProximalTerm& proximal) {
  const std::size_t actions = network_.shape().outputs();
  const std::size_t inputs = network_.shape().inputs();

  distinct_.find(batch.next_observations, inputs);
  const auto next_values = network_.forward(target, distinct_.rows(), distinct_.count());
  best_.resize(distinct_.count());
  for (std::size_t u = 0; u < best_.size(); ++u) {
    const auto row = next_values.subspan(u * actions, actions);
    best_[u] = *std::max_element(row.begin(), row.end());
  }
  targets_.resize(batch.size);
  const auto gamma = static_cast<float>(options_.gamma);
  for (std::size_t i = 0; i < batch.size; ++i) targets_[i] = batch.rewards[i] + batch.continues[i] * gamma * best_[distinct_.index()[i]];

  distinct_.find(batch.observations, inputs);
  const auto values = network_.forward(theta, distinct_.rows(), distinct_.count());
  output_gradient_.assign(values.size(), 0);
  double loss = 0;
  const float share = 1.0F / static_cast<float>(batch.size);
  for (std::size_t i = 0; i < batch.size; ++i) {
    const std::size_t place = distinct_.index()[i] * actions + static_cast<std::size_t>(batch.actions[i]);
    const float error = values[place] - targets_[i];
    loss += std::abs(error) < 1 ? 0.5 * error * error : std::abs(error) - 0.5;
    output_gradient_[place] += share * std::clamp(error, -1.0F, 1.0F);
  }
  loss /= static_cast<double>(batch.size);
  expect(std::isfinite(loss), "dqn: expected a finite loss, found {}", loss);

  network_.backward(theta, output_gradient_, gradient_);
  proximal.add_to(gradient_, theta);
  clip_to_norm(gradient_, options_.max_norm);
  adam_.step(gradient_, theta);
  return loss;
}

}  // namespace paretofl
