#pragma once

#include <memory>
#include <vector>

#include "paretofl/models/conv_net_shape.h"
#include "paretofl/models/model.h"
#include "paretofl/models/model_sizes.h"

namespace paretofl {

class DropoutMask;
class ConvNetGroup;

/// A network of conv_net_shape.h with passes written by hand: kLanes samples at a time go through the whole
/// network and back, so that their activations stay in the cache, in the layout of lanes.h. jacobian
/// costs one forward pass, the heads' backward passes and M of the encoder; weighted_gradient only one of
/// the encoder. Every result is the same to the bit on any thread. Nothing is allocated per call once the
/// largest batch has been seen.
class ConvNet final : public Model {
 public:
  /// Throws Error for heads that conv_net_layout refuses.
  ConvNet(const ConvNetShape& shape, const std::vector<Head>& heads, ConvolutionMethod method = ConvolutionMethod::kDirect);
  ~ConvNet() override;

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
  void evaluate(std::span<const float> parameters, const Batch& batch, std::span<double> loss_sums, std::span<double> correct) override;
  std::optional<NetworkGraph> network(std::span<const std::string> objectives) const override {
    return conv_net_network(shape_, sizes_.heads, objectives);
  }

 private:
  // One head's part in a training pass: the gradient of weight * (mean loss) is added to `gradient` [d],
  // which heads next to each other may share.
  struct HeadPass {
    std::size_t objective;
    double weight;
    float* gradient;
  };

  /// Writes the passes' mean losses [passes].
  void train(const float* parameters, const Batch& batch, const Random& dropout, std::span<const HeadPass> passes, double* losses);

  ConvNetShape shape_;
  std::shared_ptr<const Layout> layout_;
  ModelSizes sizes_;
  std::vector<HeadPass> passes_;
  std::unique_ptr<ConvNetGroup> group_;
  std::vector<DropoutMask> masks_;  // of the encoder, then of every head
};

}  // namespace paretofl
