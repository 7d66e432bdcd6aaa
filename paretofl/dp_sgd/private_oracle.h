#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/local/gradient_oracle.h"
#include "paretofl/privacy/example_options.h"
#include "paretofl/privacy/fixed_point.h"
#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// A client's gradients with noise that hides each single sample (Abadi et al. 2016, "Deep learning with differential privacy",
/// Algorithm 1, for M objectives). Each call draws every sample with the probability q on its own (Poisson sampling), clips the gradient
/// of each drawn sample to the norm C, adds these up, adds Gaussian noise of standard deviation z C / sqrt(1 - s), and divides by q times
/// the number of samples. A jacobian has M gradients of a sample, each clipped alone, with sqrt(M) times that noise. The losses of a sample
/// [M] are clipped to a norm as well and get noise that discloses the share s = 0.1 of the call; means that the noise made negative become
/// zero. So a call is one release of
/// noise multiplier z, if one more or less of the samples is what neighbouring data sets differ in, and their number is known.
///
/// Samples follow from the key and from everything that the call depends on but the data: theta, weights, draw and options. Noise follows
/// from these, its own size and the sums that it hides. So the same call has the same answer, and noise that hides one sum never hides
/// another, nor in another size: not in another run of the same party with the same seed either, from whose answers it could be taken off.
class PrivateOracle : public GradientOracle {
 public:
  /// Numbers are summed in fixed point, and the noise is discrete (discrete_gaussian.h). Throws Error unless `inner` takes single
  /// samples, and where a sum of its clipped gradients could overflow.
  PrivateOracle(std::unique_ptr<GradientOracle> inner, const ExampleOptions& options, double loss_clip, const FixedPoint& fixed_point,
                const Secret& key);

  double num_samples() const override { return inner_->num_samples(); }
  std::size_t num_objectives() const override { return inner_->num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return inner_->layout(); }

  // Each throws Error where a loss of a sample is negative, or it or its gradient is not finite.

  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override;
  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override;
  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override;

 private:
  /// Gradients [V, d] and losses of the call that `name`, theta and the draw tell from all others.
  void release(const std::string& name, const GradientTerms& terms, std::span<const float> theta, const Draw& draw,
               std::span<double> losses, std::span<float> gradients) const;
  Secret key_of(const std::string& name, std::span<const float> theta, const Draw& draw) const;
  /// Fixed-point numbers nearest to the sums, with noise of this standard deviation, as means.
  template <class T>
  void write_means(std::span<const double> sums, double deviation, const Secret& key, std::span<T> means) const;
  double expected_samples() const { return options_.rate * inner_->num_samples(); }

  std::unique_ptr<GradientOracle> inner_;
  ExampleOptions options_;
  double loss_clip_;
  FixedPoint fixed_point_;
  Secret key_;
};

}  // namespace paretofl
