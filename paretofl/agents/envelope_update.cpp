#include "paretofl/agents/envelope_update.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/agents/clip_to_norm.h"
#include "paretofl/core/error.h"

namespace paretofl {

EnvelopeUpdate::EnvelopeUpdate(const DenseShape& shape, std::size_t objectives, Options options)
    : options_(options),
      objectives_(objectives),
      network_(shape),
      adam_(shape.num_parameters(), options.rate),
      gradient_(shape.num_parameters()) {}

void EnvelopeUpdate::pair(std::span<const float> observations, std::span<const float> preferences) {
  const std::size_t width = network_.shape().inputs() - objectives_;
  pairs_.clear();
  for (std::size_t i = 0; i < observations.size(); i += width) {
    for (std::size_t w = 0; w < preferences.size(); w += objectives_) {
      pairs_.insert(pairs_.end(), &observations[i], &observations[i] + width);
      pairs_.insert(pairs_.end(), &preferences[w], &preferences[w] + objectives_);
    }
  }
  distinct_.find(pairs_, network_.shape().inputs());
}

void EnvelopeUpdate::find_targets(std::span<const float> target, const TransitionBatch& batch, std::span<const float> preferences) {
  const std::size_t outputs = network_.shape().outputs();
  const std::size_t drawn = preferences.size() / objectives_;
  const auto gamma = static_cast<float>(options_.gamma);
  pair(batch.next_observations, preferences);
  const auto next_values = network_.forward(target, distinct_.rows(), distinct_.count());
  targets_.resize(batch.size * preferences.size());
  for (std::size_t i = 0; i < batch.size; ++i) {
    for (std::size_t w = 0; w < drawn; ++w) {
      const auto weights = preferences.subspan(w * objectives_, objectives_);
      std::span<const float> best;
      float largest = 0;
      for (std::size_t v = 0; v < drawn; ++v) {
        const auto row = next_values.subspan(distinct_.index()[i * drawn + v] * outputs, outputs);
        for (std::size_t a = 0; a < outputs; a += objectives_) {
          const auto values = row.subspan(a, objectives_);
          const float value = std::inner_product(weights.begin(), weights.end(), values.begin(), 0.0F);
          if (!best.empty() && !(value > largest)) continue;
          largest = value;
          best = values;
        }
      }
      for (std::size_t k = 0; k < objectives_; ++k) {
        targets_[(i * drawn + w) * objectives_ + k] = batch.rewards[i * objectives_ + k] + batch.continues[i] * gamma * best[k];
      }
    }
  }
}

double EnvelopeUpdate::step(std::span<float> theta, std::span<const float> target, const TransitionBatch& batch,
                            std::span<const float> preferences, double homotopy, const ProximalTerm& proximal) {
  const std::size_t outputs = network_.shape().outputs();
  const std::size_t drawn = preferences.size() / objectives_;
  find_targets(target, batch, preferences);

  pair(batch.observations, preferences);
  const auto values = network_.forward(theta, distinct_.rows(), distinct_.count());
  output_gradient_.assign(values.size(), 0);
  double loss = 0;
  const float share = 1.0F / static_cast<float>(batch.size * drawn);
  const auto of_vector = static_cast<float>(1 - homotopy);
  const auto of_scalar = static_cast<float>(homotopy);
  for (std::size_t p = 0; p < batch.size * drawn; ++p) {
    const std::size_t place = distinct_.index()[p] * outputs + static_cast<std::size_t>(batch.actions[p / drawn]) * objectives_;
    const auto weights = preferences.subspan(p % drawn * objectives_, objectives_);
    float weighted = 0;  // w . (Q - y)
    for (std::size_t k = 0; k < objectives_; ++k) weighted += weights[k] * (values[place + k] - targets_[p * objectives_ + k]);
    const float direction = weighted > 0 ? 1.0F : (weighted < 0 ? -1.0F : 0.0F);
    loss += homotopy * std::abs(weighted);
    for (std::size_t k = 0; k < objectives_; ++k) {
      const float error = values[place + k] - targets_[p * objectives_ + k];
      loss += (1 - homotopy) * error * error;
      output_gradient_[place + k] += share * (of_vector * 2 * error + of_scalar * direction * weights[k]);
    }
  }
  loss /= static_cast<double>(batch.size * drawn);
  expect(std::isfinite(loss), "envelope_dqn: expected a finite loss, found {}", loss);

  network_.backward(theta, output_gradient_, gradient_);
  proximal.add_to(gradient_, theta);
  clip_to_norm(gradient_, options_.max_norm);
  adam_.step(gradient_, theta);
  return loss;
}

}  // namespace paretofl
