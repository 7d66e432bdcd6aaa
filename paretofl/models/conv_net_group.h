#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/kernels/dropout_mask.h"
#include "paretofl/kernels/lanes.h"
#include "paretofl/kernels/linear.h"
#include "paretofl/kernels/winograd_conv.h"
#include "paretofl/models/conv_net_shape.h"

namespace paretofl {

/// One group of up to kLanes samples on its way through a network of conv_net_shape.h and back. Parameters
/// and gradients are flat buffers [d]; gradients are added to. A null mask stands for evaluation mode;
/// `first` is the number of the group's first sample in the batch that the mask was drawn for.
class ConvNetGroup {
 public:
  ConvNetGroup(const ConvNetShape& shape, const Layout& layout, const std::vector<Head>& heads, ConvolutionMethod method);

  /// Called before the groups of a batch, which all get the same parameters.
  void begin_batch(const float* parameters);

  /// Takes in images [count, channels, side, side], count <= kLanes; the other lanes get zeros.
  void load_images(const float* images, std::size_t count);
  void forward_encoder(const float* parameters, const DropoutMask* mask, std::size_t first);
  /// Takes objective k's head from the encoder's output to outputs().
  void forward_head(const float* parameters, std::size_t k, const DropoutMask* mask, std::size_t first);
  std::span<const Lanes> outputs() const { return outputs_; }  ///< as head_loss.h has them
  /// The gradient of scale * (summed loss) of the head that last went forward. What of it concerns the
  /// encoder waits for backward_encoder, added to that of the heads before.
  void backward_head(const float* parameters, std::size_t k, std::span<const std::uint8_t> labels, float scale, float* gradient);
  /// The encoder's gradient of all heads that went backward since the last call.
  void backward_encoder(const float* parameters, float* gradient);

  /// Like backward_head, but the gradient of the head's own parameters waits as well, for add_clipped_gradient.
  void keep_head_gradient(const float* parameters, std::size_t k, std::span<const std::uint8_t> labels, float scale);
  /// Adds the gradient of all heads that were kept since the last call, each of the first `count` samples' clipped to the norm `clip`.
  void add_clipped_gradient(const float* parameters, std::size_t count, double clip, std::span<double> sum);

 private:
  // What a head needs for the gradient of its parameters: the gradients with respect to its layers' outputs, and what went into the last.
  struct HeadPass {
    std::size_t k;
    std::vector<Lanes> hidden;
    std::vector<Lanes> hidden_gradient;
    std::vector<Lanes> output_gradient;
  };
  // A fully connected layer and where its weight and bias start in the flat buffers.
  struct FullLayer {
    LinearShape shape;
    std::size_t weight;
    std::size_t bias;

    void forward(const float* parameters, const Lanes* input, Lanes* output) const;
    /// Each adds to what it writes.
    void parameter_gradient(const Lanes* input, const Lanes* output_gradient, float* gradient, std::size_t part_stride) const;
    void input_gradient(const float* parameters, const Lanes* output_gradient, Lanes* gradient) const;
  };
  struct ConvLayer {
    ConvPoolShape shape;
    std::size_t weight;
    std::size_t bias;
  };
  struct HeadLayers {
    std::optional<FullLayer> hidden;
    FullLayer last;
    Loss loss;
  };

  // A backward pass in two parts: the gradients with respect to what goes into the layers, and from these the parameters'.
  void propagate_head(const float* parameters, std::size_t k, std::span<const std::uint8_t> labels, float scale);
  void propagate_encoder(const float* parameters);
  void add_head_gradient(std::size_t k, std::span<const Lanes> hidden, std::span<const Lanes> hidden_gradient,
                         std::span<const Lanes> output_gradient, float* gradient, std::size_t part_stride = 0) const;
  void add_encoder_gradient(float* gradient, std::size_t part_stride = 0);
  LaneSums squared_norms() const;

  static std::size_t weight_of(const Layout& layout, const std::string& layer) { return layout.slice(layer + ".weight").range.begin; }
  static std::size_t bias_of(const Layout& layout, const std::string& layer) { return layout.slice(layer + ".bias").range.begin; }
  static FullLayer full_layer(const Layout& layout, const std::string& layer);

  ConvNetShape shape_;
  ConvLayer conv1_;
  ConvLayer conv2_;
  std::optional<WinogradConv> winograd2_;  // does what conv2_ would
  FullLayer fc_;
  std::vector<HeadLayers> heads_;

  std::vector<Lanes> image_;  // its border stays zero
  std::vector<Lanes> pooled1_;
  std::vector<LaneInts> choice1_;
  std::vector<Lanes> pooled2_;
  std::vector<LaneInts> choice2_;
  std::vector<Lanes> features_;
  std::vector<Lanes> hidden_;  // of the head that last went forward
  std::vector<Lanes> outputs_;

  std::vector<HeadPass> kept_;
  std::vector<float> group_gradient_;  // [kLanes / kSumLanes, d]

  std::vector<Lanes> features_gradient_;
  std::vector<Lanes> hidden_gradient_;
  std::vector<Lanes> pooled2_gradient_;
  std::vector<Lanes> pooled1_gradient_;
  std::vector<Lanes> routed_;  // room of conv_pool_input_gradient
};

}  // namespace paretofl
