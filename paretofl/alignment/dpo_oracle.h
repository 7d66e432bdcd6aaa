#pragma once

#include <memory>
#include <span>
#include <vector>

#include "paretofl/alignment/dpo_options.h"
#include "paretofl/alignment/referenced_pairs.h"
#include "paretofl/local/gradient_oracle.h"

namespace paretofl {

/// A client's pairs of one dimension, by number.
struct HeldPairs {
  std::shared_ptr<const ReferencedPairs> pairs;
  std::vector<std::uint32_t> numbers;  ///< empty: the client has none of this dimension
};

/// A client's gradients of the M losses of direct preference optimization, objective k being the mean loss (dpo_loss.h) over its pairs of
/// dimension k, with respect to an adapter [d]. A draw names a minibatch of each dimension, each with an order of its own, and LoRA's
/// dropout masks. The losses weighted by lambda are a weighted sum of DPO losses, a baseline of Zhou et al. 2023 ("Beyond
/// one-preference-fits-all alignment") and not their MODPO. Of a dimension without pairs, losses and gradients are 0.
class DpoOracle : public GradientOracle {
 public:
  /// `dimensions` [M]. Throws Error unless one of them has pairs.
  DpoOracle(std::shared_ptr<const CausalLm> model, std::vector<HeldPairs> dimensions, const DpoOptions& options);

  double num_samples() const override;
  std::size_t num_objectives() const override { return dimensions_.size(); }
  const std::shared_ptr<const Layout>& layout() const override { return model_->adapter_layout(); }

  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override;
  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override;
  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override;
  std::vector<double> local_losses(std::span<const float> theta) const override;

 private:
  std::shared_ptr<const CausalLm> model_;
  std::vector<HeldPairs> dimensions_;
  std::size_t batch_size_;
  DpoRule rule_;
};

}  // namespace paretofl
