#pragma once

#include "paretofl/local/gradient_oracle.h"
#include "paretofl/workloads/bench_pool.h"

namespace paretofl {

/// A client's gradients by a model on its own samples. Its minibatches go through the samples in an endless sequence of
/// epochs, each in a new order; the last incomplete one of an epoch is dropped. What it refers to must outlive it.
class SampleOracle : public GradientOracle {
 public:
  /// Minibatches have `batch_size` samples, or all of them where there are fewer.
  SampleOracle(BenchPool& benches, const SampleSource& source, std::span<const std::uint32_t> samples, std::size_t batch_size);

  double num_samples() const override { return static_cast<double>(samples_.size()); }
  std::size_t num_objectives() const override { return num_objectives_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }

  bool takes_single_samples() const override { return true; }
  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override;
  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override;
  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override;

  /// Over the samples with a label or target of each objective; 0 where none has one.
  std::vector<double> local_losses(std::span<const float> theta) const override;

  void add_clipped_samples(std::span<const float> theta, const GradientTerms& terms, std::span<const std::uint32_t> samples,
                           const Draw& draw, const ClippedSums& sums) const override;

 private:
  Batch load(const Draw& draw, Bench& bench) const;

  BenchPool& benches_;
  const SampleSource& source_;
  std::span<const std::uint32_t> samples_;
  std::size_t batch_size_;
  std::vector<double> known_shares_;  // [M] or empty
  std::size_t num_objectives_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace paretofl
