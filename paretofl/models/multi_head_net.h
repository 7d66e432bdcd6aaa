#pragma once

#include <vector>

#include "paretofl/kernels/lanes.h"
#include "paretofl/models/head_sums.h"
#include "paretofl/models/linear.h"
#include "paretofl/models/model.h"
#include "paretofl/models/model_sizes.h"
#include "paretofl/models/multi_head_shape.h"

namespace paretofl {

/// A network of multi_head_shape.h with passes written by hand, kLanes samples at a time. jacobian costs one forward pass and M backward
/// passes; weighted_gradient one backward pass of the shared layers. There is no dropout. Samples may lack the label or target of an
/// objective (Batch::known): its loss is the sum over the others, divided by how many of the minibatch these are on average, which
/// Batch::known_shares tells. So minibatches drawn by chance have the loss and the gradient of all known samples on average. Where there
/// are none, both are 0. Every result is the same to the bit on any thread. Nothing is allocated per call once the largest batch has been
/// seen.
class MultiHeadNet final : public Model {
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
  void evaluate(std::span<const float> parameters, const Batch& batch, std::span<double> loss_sums, std::span<double> scores) override;

  /// Its input is called "features".
  std::optional<NetworkGraph> network(std::span<const std::string> objectives) const override;

  /// Adds what the batch contributes to the sums [M].
  void add_sums(std::span<const float> parameters, const Batch& batch, std::span<HeadSums> sums);

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

  /// Writes the passes' losses [passes].
  void train(const float* parameters, const Batch& batch, std::span<const HeadPass> passes, double* losses);
  /// Puts samples first to first + count of the batch through the shared layers.
  void forward_body(const float* parameters, const Batch& batch, std::size_t first, std::size_t count);
  /// Writes a head's outputs: log-probabilities with kNll.
  void forward_head(const float* parameters, std::size_t objective);
  /// Turns outputs_ into the gradient, adds the head's part of it to `gradient`, and its features' part to feature_gradient_.
  void backward_head(const float* parameters, const Batch& batch, std::size_t first, std::size_t count, std::size_t objective, Lanes scales,
                     float* gradient);
  /// Adds the shared layers' part of feature_gradient_ to `gradient` and sets feature_gradient_ to zero.
  void backward_body(const float* parameters, float* gradient);
  void activate(std::vector<Lanes>& values) const;

  MultiHeadShape shape_;
  std::shared_ptr<const Layout> layout_;
  ModelSizes sizes_;
  std::vector<Layer> body_;
  std::vector<Layer> heads_;
  std::vector<std::vector<Lanes>> activations_;  // inputs, then of every hidden layer
  std::vector<Lanes> outputs_;
  std::vector<Lanes> feature_gradient_;
  std::vector<Lanes> next_gradient_;
  std::vector<HeadPass> passes_;
};

}  // namespace paretofl
