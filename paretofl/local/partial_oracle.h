#pragma once

#include <memory>
#include <vector>

#include "paretofl/local/gradient_oracle.h"

namespace paretofl {

/// The oracle of a client that may have some of the M objectives only. Objective k's losses and gradients are times n / n_k, where n_k of
/// the n clients have it, and zero at clients that don't. The mean over all clients is then, for each objective, the mean over the clients
/// that have it (Yang et al. 2023, "Federated multi-objective learning", section 3); over a random cohort it is an unbiased estimate of it.
class PartialOracle : public GradientOracle {
 public:
  /// `factors` [M] are n / n_k, or 0 if the client does not have this objective. The inner oracle is not asked for gradients of these,
  /// beyond a weight of 0 or a row that is not looked at.
  PartialOracle(std::unique_ptr<GradientOracle> inner, std::vector<double> factors);

  double num_samples() const override { return inner_->num_samples(); }
  std::size_t num_objectives() const override { return inner_->num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return inner_->layout(); }

  bool takes_single_samples() const override { return inner_->takes_single_samples(); }
  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override;
  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override;
  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override;
  std::vector<double> local_losses(std::span<const float> theta) const override;

 private:
  void scale(std::span<double> losses) const;

  std::unique_ptr<GradientOracle> inner_;
  std::vector<double> factors_;
};

/// On what a client that has some of the objectives only takes local steps along sum_k lambda_k (n / n_k) f_k: with `weights` in place of
/// lambda they add up as lambda does, and its update counts `scale` times. For one step of SGD this is the same; but several steps keep the
/// learning rate that was chosen, and Adam, which gives gradients of any scale the same steps, heeds lambda and n / n_k.
struct HeldWeights {
  std::vector<double> weights;  ///< [M]
  double scale;
};

/// Of lambda [M] and the client's factors [M]; lambda itself and 1 where there are no factors, as the client has all objectives.
HeldWeights held_weights(std::span<const double> lambda, std::span<const double> factors);

/// The factors [M] of each client, from which objectives [M] each of the n clients has. Throws Error unless every client has one, and
/// every objective has a client.
std::vector<std::vector<double>> objective_factors(const std::vector<std::vector<bool>>& has);

}  // namespace paretofl
