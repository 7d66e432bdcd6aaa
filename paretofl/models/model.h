#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/core/layout.h"
#include "paretofl/core/random.h"
#include "paretofl/models/batch.h"
#include "paretofl/models/head.h"
#include "paretofl/models/network_graph.h"
#include "paretofl/privacy/clipped_sums.h"

namespace paretofl {

/// A differentiable model with an encoder that all objectives share and one Head per objective: from flat
/// parameters and a minibatch to the M mean losses and their gradients. All gradients are with respect to the flat parameter buffer [d] of
/// layout(). Dropout masks come from the stream given, so a call is a pure function of its arguments.
/// Thread contract: an instance owns scratch memory, so one thread at a time; instances are independent.
class Model {
 public:
  virtual ~Model() = default;

  virtual const std::shared_ptr<const Layout>& layout() const = 0;
  virtual int num_objectives() const = 0;  ///< M

  /// Draws initial parameters [d].
  virtual void initialize(Random random, std::span<float> parameters) const = 0;

  /// One forward pass and M backward passes: losses [M], jacobian [M, d] row-major, training mode.
  virtual void jacobian(std::span<const float> parameters, const Batch& batch, Random dropout, std::span<double> losses,
                        std::span<float> jacobian) = 0;

  /// Gradient [d] of sum_k lambda_k f_k, lambda [M]; losses [M], training mode.
  virtual void weighted_gradient(std::span<const float> parameters, const Batch& batch, std::span<const double> objective_weights,
                                 Random dropout, std::span<double> losses, std::span<float> gradient) = 0;

  /// Gradient [d] of objective k alone (zero in the other heads, which are not computed); returns its
  /// loss, training mode.
  virtual double objective_gradient(std::span<const float> parameters, const Batch& batch, int objective, Random dropout,
                                    std::span<float> gradient) = 0;

  /// Whether add_clipped_gradients() works. Default: no.
  virtual bool clips_samples() const { return false; }
  /// Adds each sample's losses and gradients to the sums, clipped, training mode. The terms of a vector come one after the other.
  virtual void add_clipped_gradients(std::span<const float> /*parameters*/, const Batch& /*batch*/, const GradientTerms& /*terms*/,
                                     Random /*dropout*/, const ClippedSums& /*sums*/) {
    throw Error("model: expected one that clips the gradients of single samples, found another");
  }

  /// Evaluation mode (no dropout): adds the summed losses [M] and correct predictions [M] of the batch. A
  /// sample's prediction is the most probable class, or every attribute by itself: then it counts as the
  /// share of its attributes that are right. A head with targets adds absolute errors instead of correct predictions.
  virtual void evaluate(std::span<const float> parameters, const Batch& batch, std::span<double> loss_sums, std::span<double> scores) = 0;

  /// What evaluate() computes before softmax, sigmoid and losses, for other programs: from the inputs of a batch to the outputs of every
  /// objective's head, which are called by the names given, [M]. Default: none.
  virtual std::optional<NetworkGraph> network(std::span<const std::string> /*objectives*/) const { return std::nullopt; }
};

}  // namespace paretofl
