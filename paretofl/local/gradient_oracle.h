#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/privacy/clipped_sums.h"

namespace paretofl {

/// Names one minibatch: number `step` (from 0) of the pass over the data that `stream` orders. Equal
/// draws give equal minibatches, augmentation and dropout masks.
struct Draw {
  Random stream;
  std::int64_t step = 0;
  /// Where there is one, the minibatch is this sample alone, a number below num_samples(). Only oracles that take single samples heed it.
  std::optional<std::uint32_t> only = std::nullopt;
};

/// A client's stochastic first-order oracle: minibatch losses and gradients of its M objectives with
/// respect to theta [d]. Every call is a pure function of its arguments, so oracles of different
/// clients may be used from different threads.
class GradientOracle {
 public:
  virtual ~GradientOracle() = default;

  virtual double num_samples() const = 0;
  virtual std::size_t num_objectives() const = 0;                   ///< M
  virtual const std::shared_ptr<const Layout>& layout() const = 0;  ///< of theta

  /// Whether the oracle takes single samples (Draw::only), so that its losses and gradients are means over those of a minibatch's samples,
  /// none of which depends on another sample. Default: no.
  virtual bool takes_single_samples() const { return false; }

  /// Gradients of all objectives on one minibatch: losses [M], jacobian [M, d] row-major.
  virtual void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const = 0;

  /// Gradient [d] of sum_k lambda_k f_k; losses [M].
  virtual void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                                 std::span<double> losses, std::span<float> gradient) const = 0;

  /// Gradient [d] of f_k alone, zero in the heads of other objectives; returns the loss.
  virtual double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                                    std::span<float> gradient) const = 0;

  /// The objectives' mean losses [M] at theta over all samples of the client, in evaluation mode: no minibatch, no dropout, no
  /// augmentation. Objectives that a client counts otherwise in its gradients (PartialOracle) count likewise here. Throws Error where the
  /// client can't tell them, which is the default; Workload::has_local_losses() says so before.
  virtual std::vector<double> local_losses(std::span<const float> theta) const;

  /// Adds what these samples contribute to the sums, each a number below num_samples(); the draw says what else is random. The oracle takes
  /// single samples. Default: one sample after the other.
  virtual void add_clipped_samples(std::span<const float> theta, const GradientTerms& terms, std::span<const std::uint32_t> samples,
                                   const Draw& draw, const ClippedSums& sums) const;
};

}  // namespace paretofl
