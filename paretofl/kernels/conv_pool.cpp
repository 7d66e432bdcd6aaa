#include "paretofl/kernels/conv_pool.h"

#include <algorithm>

#include "paretofl/kernels/pool_choice.h"

namespace paretofl {
namespace {

// Output channels computed side by side: as many as have room for their sums, four each, in the registers that there are.
constexpr std::size_t kBlock = kLanes == 16 ? 5 : 3;

// One pooled position of Channels output channels: 4 x Channels sums that stay in registers.
template <std::size_t Channels>
inline __attribute__((always_inline)) void forward_position(const ConvPoolShape& shape, const float* weight, const float* bias,
                                                            const Lanes* corner, Lanes* output, LaneInts* choice) {
  const std::size_t width = shape.width;
  Lanes sum[Channels][4];
  for (std::size_t o = 0; o < Channels; ++o) {
    for (Lanes& x : sum[o]) x = Lanes{} + bias[o];
  }
  for (std::size_t c = 0; c < shape.in; ++c) {
#pragma GCC unroll 3
    for (std::size_t i = 0; i < 3; ++i) {
#pragma GCC unroll 3
      for (std::size_t j = 0; j < 3; ++j) {
        const Lanes* x = corner + (c * shape.height + i) * width + j;
#pragma GCC unroll 5
        for (std::size_t o = 0; o < Channels; ++o) {
          const float w = weight[(o * shape.in + c) * 9 + 3 * i + j];
          sum[o][0] += w * x[0];
          sum[o][1] += w * x[1];
          sum[o][2] += w * x[width];
          sum[o][3] += w * x[width + 1];
        }
      }
    }
  }
  const std::size_t plane = shape.out_height() * shape.out_width();
  for (std::size_t o = 0; o < Channels; ++o) {
    const LargestOfFour largest(sum[o]);
    output[o * plane] = relu(largest.value);
    choice[o * plane] = largest.which;
  }
}

// Row y of Channels output channels from `o` on.
template <std::size_t Channels>
void forward_row(const ConvPoolShape& shape, const float* weight, const float* bias, const Lanes* input, std::size_t o, std::size_t y,
                 Lanes* output, LaneInts* choice) {
  for (std::size_t x = 0; x < shape.out_width(); ++x) {
    const std::size_t at = (o * shape.out_height() + y) * shape.out_width() + x;
    forward_position<Channels>(shape, weight + o * shape.in * 9, bias + o, input + 2 * y * shape.width + 2 * x, output + at, choice + at);
  }
}

}  // namespace

void conv_pool_forward(const ConvPoolShape& shape, const float* weight, const float* bias, const Lanes* input, Lanes* output,
                       LaneInts* choice) {
  for (std::size_t y = 0; y < shape.out_height(); ++y) {
    std::size_t o = 0;
    for (; o + kBlock <= shape.out; o += kBlock) forward_row<kBlock>(shape, weight, bias, input, o, y, output, choice);
    for (; o + 2 <= shape.out; o += 2) forward_row<2>(shape, weight, bias, input, o, y, output, choice);
    if (o < shape.out) forward_row<1>(shape, weight, bias, input, o, y, output, choice);
  }
}

// The gradient of a pooled number belongs to one of four positions of the convolution, another one for each sample. Of the two rows the one
// that this position meets is selected; of the two columns both are multiplied, one of them by zero. Selecting both, or multiplying all
// four, takes longer.

namespace {

// The sums over positions of what each sample adds to the gradient of the nine weights from one input channel to one output channel.
struct TapSums {
  Lanes tap[3][3]{};

  TapSums(const ConvPoolShape& shape, const Lanes* channel, const Lanes* plane, const LaneInts* plane_choice) {
    const std::size_t height = shape.out_height();
    const std::size_t width = shape.out_width();
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        const Lanes g = plane[y * width + x];
        const LaneInts choice = plane_choice[y * width + x];
        const Lanes of_right = (choice & 1) != 0 ? g : Lanes{};
        const Lanes of_left = (choice & 1) != 0 ? Lanes{} : g;
        const LaneInts lower = (choice & 2) != 0;
        const Lanes* row = channel + 2 * y * shape.width + 2 * x;
#pragma GCC unroll 4
        for (std::size_t j = 0; j < 4; ++j) {
#pragma GCC unroll 3
          for (std::size_t i = 0; i < 3; ++i) {
            const Lanes met = lower ? row[(i + 1) * shape.width + j] : row[i * shape.width + j];
            if (j < 3) tap[i][j] += of_left * met;
            if (j > 0) tap[i][j - 1] += of_right * met;
          }
        }
      }
    }
  }
};

Lanes sum_of_plane(const Lanes* plane, std::size_t size) {
  Lanes sum{};
  for (std::size_t at = 0; at < size; ++at) sum += plane[at];
  return sum;
}

}  // namespace

void conv_pool_parameter_gradient(const ConvPoolShape& shape, const Lanes* input, const Lanes* gradient, const LaneInts* choice,
                                  float* weight_gradient, float* bias_gradient, std::size_t part_stride) {
  const std::size_t size = shape.out_height() * shape.out_width();
  for (std::size_t o = 0; o < shape.out; ++o) {
    add_lanes(bias_gradient + o, sum_of_plane(gradient + o * size, size), part_stride);
    for (std::size_t c = 0; c < shape.in; ++c) {
      const TapSums sums(shape, input + c * shape.height * shape.width, gradient + o * size, choice + o * size);
      for (std::size_t tap = 0; tap < 9; ++tap)
        add_lanes(weight_gradient + (o * shape.in + c) * 9 + tap, sums.tap[tap / 3][tap % 3], part_stride);
    }
  }
}

void conv_pool_squared_norms(const ConvPoolShape& shape, const Lanes* input, const Lanes* gradient, const LaneInts* choice,
                             LaneSums& squares) {
  const std::size_t size = shape.out_height() * shape.out_width();
  for (std::size_t o = 0; o < shape.out; ++o) {
    const Lanes bias = sum_of_plane(gradient + o * size, size);
    Lanes square = bias * bias;
    for (std::size_t c = 0; c < shape.in; ++c) {
      const TapSums sums(shape, input + c * shape.height * shape.width, gradient + o * size, choice + o * size);
      for (const auto& row : sums.tap) {
        for (const Lanes& sum : row) square += sum * sum;
      }
    }
    squares.add(square);
  }
}

namespace {

// Adds rows First to First + Rows of the 4 x 4 patch of one input channel that a pooled position sees, summed over the output channels.
template <std::size_t First, std::size_t Rows>
inline void add_patch_rows(const ConvPoolShape& shape, const float* weight, const Lanes* routed, Lanes* corner) {
  Lanes patch[Rows][4]{};
  for (std::size_t o = 0; o < shape.out; ++o) {
    const float* w = weight + o * shape.in * 9;
#pragma GCC unroll 4
    for (std::size_t row = 0; row < Rows; ++row) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t i = First + row - k / 2;  // wraps around where the tap's row lies above the patch's
        if (i > 2) continue;
#pragma GCC unroll 3
        for (std::size_t j = 0; j < 3; ++j) patch[row][j + k % 2] += routed[4 * o + k] * w[3 * i + j];
      }
    }
  }
  for (std::size_t row = 0; row < Rows; ++row) {
    for (std::size_t j = 0; j < 4; ++j) corner[(First + row) * shape.width + j] += patch[row][j];
  }
}

}  // namespace

// Here gradients that are zero are multiplied: selecting takes fewer operations, but slower ones on the older processors with AVX2. As
// many rows of a patch are summed at a time as there are registers for.
void conv_pool_input_gradient(const ConvPoolShape& shape, const float* weight, const Lanes* gradient, const LaneInts* choice,
                              std::vector<Lanes>& routed, Lanes* input_gradient) {
  const std::size_t height = shape.out_height();
  const std::size_t width = shape.out_width();
  std::fill_n(input_gradient, shape.input_size(), Lanes{});
  routed.resize(4 * shape.out);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t o = 0; o < shape.out; ++o) {
        const std::size_t at = (o * height + y) * width + x;
        route_gradient(gradient[at], choice[at], &routed[4 * o]);
      }
      for (std::size_t c = 0; c < shape.in; ++c) {
        Lanes* corner = input_gradient + (c * shape.height + 2 * y) * shape.width + 2 * x;
        if constexpr (kLanes == 16) {
          add_patch_rows<0, 4>(shape, weight + c * 9, routed.data(), corner);
        } else {
          add_patch_rows<0, 2>(shape, weight + c * 9, routed.data(), corner);
          add_patch_rows<2, 2>(shape, weight + c * 9, routed.data(), corner);
        }
      }
    }
  }
}

}  // namespace paretofl
