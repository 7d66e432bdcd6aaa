#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/models/conv_pool.h"
#include "paretofl/models/dropout_mask.h"
#include "paretofl/models/lanes.h"
#include "paretofl/models/lenet_layout.h"
#include "paretofl/models/linear.h"

namespace paretofl {

/// One group of up to kLanes samples on its way through the network of lenet_layout.h and back. Parameters
/// and gradients are flat buffers [d]; gradients are added to. A null mask stands for evaluation mode;
/// `first` is the number of the group's first sample in the batch that the mask was drawn for.
class LenetGroup {
 public:
  LenetGroup(const Layout& layout, const std::vector<Head>& heads);

  /// Takes in images [count, 28, 28], count <= kLanes; the other lanes get zeros.
  void load_images(const float* images, std::size_t count);
  void forward_encoder(const float* parameters, const DropoutMask* mask, std::size_t first);
  /// Takes objective k's head from the encoder's output to log_probabilities().
  void forward_head(const float* parameters, std::size_t k, const DropoutMask* mask, std::size_t first);
  std::span<const Lanes> log_probabilities() const { return outputs_; }
  /// The gradient of scale * (summed loss) of the head that last went forward. What of it concerns the
  /// encoder waits for backward_encoder, added to that of the heads before.
  void backward_head(const float* parameters, std::size_t k, std::span<const std::uint8_t> labels, float scale, float* gradient);
  /// The encoder's gradient of all heads that went backward since the last call.
  void backward_encoder(const float* parameters, float* gradient);

 private:
  static constexpr ConvPoolShape kConv1{.in = 1, .out = kLenetChannels1, .height = kLenetImage + 2, .width = kLenetImage + 2};
  static constexpr ConvPoolShape kConv2{.in = kLenetChannels1, .out = kLenetChannels2, .height = kLenetImage / 2, .width = kLenetImage / 2};
  static constexpr LinearShape kFc{.in = kLenetFlat, .out = kLenetFeatures};
  static constexpr LinearShape kHeadFc1{.in = kLenetFeatures, .out = kLenetFeatures};
  static constexpr LinearShape kHeadFc2{.in = kLenetFeatures, .out = kLenetClasses};
  static constexpr std::size_t kPooled1 = kLenetChannels1 * (kLenetImage / 2) * (kLenetImage / 2);

  // Where a layer's weight and bias start in the flat buffers.
  struct Layer {
    Layer(const Layout& layout, const std::string& name);
    std::size_t weight;
    std::size_t bias;
  };
  struct HeadLayers {
    Layer fc1;
    Layer fc2;
    Loss loss;
  };

  Layer conv1_;
  Layer conv2_;
  Layer fc_;
  std::vector<HeadLayers> heads_;

  std::array<Lanes, (kLenetImage + 2) * (kLenetImage + 2)> image_{};  // its border stays zero
  std::array<Lanes, kPooled1> pooled1_;
  std::array<LaneInts, kPooled1> choice1_;
  std::array<Lanes, kLenetFlat> pooled2_;
  std::array<LaneInts, kLenetFlat> choice2_;
  std::array<Lanes, kLenetFeatures> features_;
  std::array<Lanes, kLenetFeatures> hidden_;  // of the head that last went forward
  std::array<Lanes, kLenetClasses> outputs_;

  std::array<Lanes, kLenetFeatures> features_gradient_{};
  std::array<Lanes, kLenetFeatures> hidden_gradient_;
  std::array<Lanes, kLenetFlat> pooled2_gradient_;
  std::array<Lanes, kPooled1> pooled1_gradient_;
};

}  // namespace paretofl
