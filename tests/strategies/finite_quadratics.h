#pragma once

#include "paretofl/workloads/quadratics.h"

namespace paretofl {

/// Gradients of quadratics as means over 10 samples of a client, one of which makes a minibatch: a sample scales the exact gradient and
/// adds noise, and both have mean 0 over the samples. A pass draws each sample once.
class FiniteOracle : public GradientOracle {
 public:
  FiniteOracle(std::unique_ptr<GradientOracle> exact, int client) : exact_(std::move(exact)), client_(client) {}

  static constexpr std::size_t kSamples = 10;

  double num_samples() const override { return kSamples; }
  std::size_t num_objectives() const override { return exact_->num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return exact_->layout(); }

  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override {
    const double loss = exact_->objective_gradient(theta, objective, draw, gradient);
    Random pass = draw.stream;
    const std::vector<std::size_t> order = pass.sample_without_replacement(kSamples, kSamples);
    const std::size_t sample = order[static_cast<std::size_t>(draw.step) % kSamples];
    // Two samples of a pair have opposite noise.
    const float sign = sample % 2 == 0 ? 1 : -1;
    Random noise({sample / 2, static_cast<std::uint32_t>(objective), static_cast<std::uint32_t>(client_)}, "noise of a sample");
    for (float& x : gradient) x = (1 + 0.5F * sign) * x + sign * static_cast<float>(noise.normal());
    return loss;
  }
  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
    for (std::size_t k = 0; k < num_objectives(); ++k) {
      losses[k] = objective_gradient(theta, k, draw, jacobian.subspan(k * theta.size(), theta.size()));
    }
  }
  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override {
    std::vector<float> rows(num_objectives() * theta.size());
    jacobian(theta, draw, losses, rows);
    const std::vector<float> sum = weighted_rows(rows, objective_weights);
    std::copy(sum.begin(), sum.end(), gradient.begin());
  }

 private:
  std::unique_ptr<GradientOracle> exact_;
  int client_;
};

/// Quadratics without noise whose clients have 10 samples each.
class FiniteQuadratics : public Quadratics {
 public:
  using Quadratics::Quadratics;
  std::unique_ptr<GradientOracle> oracle(int client) const override {
    return std::make_unique<FiniteOracle>(Quadratics::oracle(client), client);
  }
};

}  // namespace paretofl
