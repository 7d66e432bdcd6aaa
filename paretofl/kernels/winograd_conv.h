#pragma once

#include <vector>

#include "paretofl/kernels/conv_pool.h"

namespace paretofl {

/// The convolution and pooling of conv_pool.h by the minimal filtering F(2x2, 3x3) of Winograd, with 16 multiplications where the direct
/// sum has 36 (Lavin and Gray 2016, "Fast Algorithms for Convolutional Neural Networks", section 4.1): the four numbers of a pool are
/// A^T [sum_c (G w G^T) * (B^T x B)] A for the 4x4 patches x of the input channels c, and the input's gradient is the adjoint,
/// B [sum_o (G w G^T) * (A g A^T)] B^T. The last rows of A and of B^T have the opposite sign of the paper's, which leaves the product
/// as it is and saves negations. Results differ from the direct sums by rounding.
class WinogradConv {
 public:
  static constexpr std::size_t kChannels = 5;  ///< channels computed side by side in registers

  /// Throws Error unless the numbers of channels in and out are multiples of kChannels.
  explicit WinogradConv(const ConvPoolShape& shape);

  /// Transforms a weight [out, in, 3, 3], which the calls below then use.
  void set_weight(const float* weight);
  /// As conv_pool_forward and conv_pool_input_gradient have it.
  void forward(const float* bias, const Lanes* input, Lanes* output, LaneInts* choice);
  void input_gradient(const Lanes* gradient, const LaneInts* choice, Lanes* input_gradient);

 private:
  // Of Tiles pooled positions from `first` on, counted row by row.
  template <std::size_t Tiles>
  void forward_tiles(const float* bias, const Lanes* input, std::size_t first, Lanes* output, LaneInts* choice);
  template <std::size_t Tiles>
  void input_gradient_tiles(const Lanes* gradient, const LaneInts* choice, std::size_t first, Lanes* input_gradient);
  // The number of the upper left corner of a pooled position's patch in a plane of the input.
  std::size_t corner(std::size_t tile) const;

  ConvPoolShape shape_;
  std::vector<float> by_output_;    // the transformed weight [out / kChannels, 16, in, kChannels]
  std::vector<float> by_input_;     // and [in / kChannels, 16, out, kChannels]
  std::vector<Lanes> transformed_;  // patches [16, channels, tiles]
};

}  // namespace paretofl
