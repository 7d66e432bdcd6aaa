#include "paretofl/agents/dqn_update.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/kernels/lanes.h"

namespace paretofl {
namespace {

/// Sixteen sums side by side, in an order that no address decides.
double norm(std::span<const float> values) {
  constexpr std::size_t kSums = 16;
  constexpr std::size_t kRegisters = kSums / kLanes;
  std::array<Lanes, kRegisters> registers{};
  std::size_t i = 0;
  for (; i + kSums <= values.size(); i += kSums) {
    for (std::size_t k = 0; k < kRegisters; ++k) {
      const Lanes part = load_lanes(&values[i + k * kLanes]);
      registers[k] += part * part;
    }
  }
  std::array<float, kSums> sums{};
  for (std::size_t k = 0; k < kRegisters; ++k) store_lanes(&sums[k * kLanes], registers[k]);
  for (std::size_t k = 0; i < values.size(); ++i, ++k) sums[k] += values[i] * values[i];
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

}  // namespace

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
  const auto scale = static_cast<float>(std::min(1.0, options_.max_norm / (norm(gradient_) + 1e-6)));
  if (scale < 1) {
    for (float& g : gradient_) g *= scale;
  }
  adam_.step(gradient_, theta);
  return loss;
}

}  // namespace paretofl
