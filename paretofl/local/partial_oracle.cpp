#include "paretofl/local/partial_oracle.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

PartialOracle::PartialOracle(std::unique_ptr<GradientOracle> inner, std::vector<double> factors)
    : inner_(std::move(inner)), factors_(std::move(factors)) {
  expect(factors_.size() == inner_->num_objectives(), "objectives of a client: expected {} factors, found {}", inner_->num_objectives(),
         factors_.size());
}

void PartialOracle::scale(std::span<double> losses) const {
  for (std::size_t k = 0; k < losses.size(); ++k) losses[k] = factors_[k] == 0 ? 0 : factors_[k] * losses[k];
}

void PartialOracle::jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const {
  inner_->jacobian(theta, draw, losses, jacobian);
  scale(losses);
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    const auto factor = static_cast<float>(factors_[k]);
    for (float& x : jacobian.subspan(k * theta.size(), theta.size())) x = factor == 0 ? 0 : factor * x;
  }
}

void PartialOracle::weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                                      std::span<double> losses, std::span<float> gradient) const {
  std::vector<double> weights(factors_);
  for (std::size_t k = 0; k < weights.size(); ++k) weights[k] *= objective_weights[k];
  inner_->weighted_gradient(theta, weights, draw, losses, gradient);
  scale(losses);
}

double PartialOracle::objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                                         std::span<float> gradient) const {
  const double factor = factors_[objective];
  if (factor == 0) {
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    return 0;
  }
  const double loss = inner_->objective_gradient(theta, objective, draw, gradient);
  for (float& x : gradient) x *= static_cast<float>(factor);
  return factor * loss;
}

std::vector<double> PartialOracle::local_losses(std::span<const float> theta) const {
  std::vector<double> losses = inner_->local_losses(theta);
  scale(losses);
  return losses;
}

HeldWeights held_weights(std::span<const double> lambda, std::span<const double> factors) {
  HeldWeights held{{lambda.begin(), lambda.end()}, 1};
  double all = 0, own = 0;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    all += std::abs(lambda[k]);
    own += std::abs(lambda[k]) * factors[k];
  }
  if (own == 0) return held;  // nothing to train on
  held.scale = own / all;
  for (double& weight : held.weights) weight /= held.scale;
  return held;
}

std::vector<std::vector<double>> objective_factors(const std::vector<std::vector<bool>>& has) {
  std::vector<std::vector<double>> factors;
  if (has.empty()) return factors;
  std::vector<double> holders(has.front().size());  // n_k
  for (const std::vector<bool>& client : has) {
    expect(std::find(client.begin(), client.end(), true) != client.end(),
           "objectives of a client: expected at least one for client {}, found none", &client - has.data());
    for (std::size_t k = 0; k < holders.size(); ++k) holders[k] += client[k] ? 1 : 0;
  }
  for (std::size_t k = 0; k < holders.size(); ++k) {
    expect(holders[k] > 0, "objectives of a client: expected a client that has objective {}, found none", k);
  }
  for (const std::vector<bool>& client : has) {
    std::vector<double>& row = factors.emplace_back();
    for (std::size_t k = 0; k < holders.size(); ++k) row.push_back(client[k] ? static_cast<double>(has.size()) / holders[k] : 0);
  }
  return factors;
}

}  // namespace paretofl
