#pragma once

#include <vector>

#include "paretofl/kernels/lanes.h"
#include "paretofl/kernels/linear.h"
#include "paretofl/models/model_sizes.h"
#include "paretofl/models/multi_head_model.h"

namespace paretofl {

/// A network of multi_head_shape.h with passes written by hand, kLanes samples at a time. jacobian costs one forward pass and M backward
/// passes; weighted_gradient one backward pass of the shared layers. There is no dropout. Samples may lack the label or target of an
/// objective (Batch::known): its loss is the sum over the others, divided by how many of the minibatch these are on average, which
/// Batch::known_shares tells. So minibatches drawn by chance have the loss and the gradient of all known samples on average. Where there
/// are none, both are 0. Every result is the same to the bit on any thread. Nothing is allocated per call once the largest batch has been
/// seen.
class MultiHeadNet final : public MultiHeadModel {
 public:
  /// Throws Error for shapes and heads that multi_head_layout refuses.
  MultiHeadNet(const MultiHeadShape& shape, const std::vector<Head>& heads);

  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  int num_objectives() const override { return static_cast<int>(sizes_.objectives()); }
  void initialize(Random random, std::span<float> parameters) const override;
  void jacobian(std::span<const float> parameters, const Batch& batch, Random dropout, std::span<double> losses,
                std::span<float> jacobian) override;
  void weighted_gradient(std::span<const float> parameters, const Batch& batch, std::span<const double> objective_weights, Random dropout,
                         std::span<double> losses, std::span<float> gradient) override;
  double objective_gradient(std::span<const float> parameters, const Batch& batch, int objective, Random dropout,
                            std::span<float> gradient) override;
  bool clips_samples() const override { return true; }
  void add_clipped_gradients(std::span<const float> parameters, const Batch& batch, const GradientTerms& terms, Random dropout,
                             const ClippedSums& sums) override;
  void evaluate(std::span<const float> parameters, const Batch& batch, std::span<double> loss_sums, std::span<double> scores) override;

  /// Its input is called "features".
  std::optional<NetworkGraph> network(std::span<const std::string> objectives) const override;

  void add_sums(std::span<const float> parameters, const Batch& batch, std::span<HeadSums> sums) override;

 private:
  struct Layer {
    LinearShape shape;
    std::size_t weight;  // where they begin in the parameters
    std::size_t bias;
  };
  // One head's part in a training pass: the gradient of weight * loss is added to `gradient` [d],
  // which heads next to each other may share.
  struct HeadPass {
    std::size_t objective;
    double weight;
    float* gradient;
  };

  // What a head needs for the gradient of its parameters: the gradient with respect to its outputs.
  struct KeptHead {
    std::size_t objective;
    std::vector<Lanes> output_gradient;
  };

  /// Writes the passes' losses [passes].
  void train(const float* parameters, const Batch& batch, std::span<const HeadPass> passes, double* losses);
  /// Puts samples first to first + count of the batch through the shared layers.
  void forward_body(const float* parameters, const Batch& batch, std::size_t first, std::size_t count);
  /// Writes a head's outputs: log-probabilities with kNll.
  void forward_head(const float* parameters, std::size_t objective);
  /// Turns outputs_ into the gradient, and adds its features' part to feature_gradient_.
  void propagate_head(const float* parameters, const Batch& batch, std::size_t first, std::size_t count, std::size_t objective,
                      Lanes scales);
  void add_head_gradient(std::size_t objective, std::span<const Lanes> output_gradient, float* gradient, std::size_t part_stride = 0) const;
  /// Takes feature_gradient_, which becomes zero, through the shared layers into body_gradients_.
  void propagate_body(const float* parameters);
  void add_body_gradient(float* gradient, std::size_t part_stride = 0) const;
  /// Adds the gradient of kept_ and body_gradients_, each of the first `count` samples' clipped.
  void add_clipped_gradient(std::size_t count, double clip, std::span<double> sum);
  void activate(std::vector<Lanes>& values) const;

  MultiHeadShape shape_;
  std::shared_ptr<const Layout> layout_;
  ModelSizes sizes_;
  std::vector<Layer> body_;
  std::vector<Layer> heads_;
  std::vector<std::vector<Lanes>> activations_;  // inputs, then of every hidden layer
  std::vector<Lanes> outputs_;
  std::vector<Lanes> feature_gradient_;
  std::vector<std::vector<Lanes>> body_gradients_;  // with respect to the outputs of every hidden layer before its activation
  std::vector<KeptHead> kept_;
  std::vector<float> group_gradient_;  // [kLanes / kSumLanes, d]
  std::vector<HeadPass> passes_;
};

}  // namespace paretofl
