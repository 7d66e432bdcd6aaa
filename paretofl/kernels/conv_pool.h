#pragma once

#include <vector>

#include "paretofl/kernels/lane_sums.h"
#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// A 3x3 convolution of stride 1 with bias, 2x2 max-pooling and ReLU, as one step, so that what the
/// convolution computes is never stored. Its input comes padded. Sizes: input [in, height, width], output
/// [out, height / 2 - 1, width / 2 - 1]; height and width are even, out is a multiple of kChannelBlock.
struct ConvPoolShape {
  static constexpr std::size_t kChannelBlock = 5;  ///< output channels computed side by side in registers

  std::size_t in;
  std::size_t out;
  std::size_t height;
  std::size_t width;

  constexpr std::size_t out_height() const { return height / 2 - 1; }
  constexpr std::size_t out_width() const { return width / 2 - 1; }
  constexpr std::size_t input_size() const { return in * height * width; }
  constexpr std::size_t output_size() const { return out * out_height() * out_width(); }
};

/// output = relu(max_pool(conv(input, weight [out, in, 3, 3]) + bias [out])). choice has the output's shape
/// and says which of its four inputs each pooled number is: bit 0 for the right column, bit 1 for the
/// lower row, the first of equal ones.
void conv_pool_forward(const ConvPoolShape& shape, const float* weight, const float* bias, const Lanes* input, Lanes* output,
                       LaneInts* choice);

/// Adds the gradient with respect to weight and bias, summed over the samples, as add_lanes of lanes.h has it. `gradient` is that with
/// respect to the pooled numbers before the ReLU.
void conv_pool_parameter_gradient(const ConvPoolShape& shape, const Lanes* input, const Lanes* gradient, const LaneInts* choice,
                                  float* weight_gradient, float* bias_gradient, std::size_t part_stride = 0);

/// Adds the squared norm of what each sample adds to that gradient.
void conv_pool_squared_norms(const ConvPoolShape& shape, const Lanes* input, const Lanes* gradient, const LaneInts* choice,
                             LaneSums& squares);

/// Writes the gradient with respect to the input. `routed` is room for the gradients of one position.
void conv_pool_input_gradient(const ConvPoolShape& shape, const float* weight, const Lanes* gradient, const LaneInts* choice,
                              std::vector<Lanes>& routed, Lanes* input_gradient);

}  // namespace paretofl
