#include "paretofl/models/conv_pool.h"

#include <algorithm>

namespace paretofl {
namespace {

constexpr std::size_t kBlock = ConvPoolShape::kChannelBlock;

// One pooled position of kBlock output channels: 4 x kBlock sums that stay in registers.
inline void forward_position(const ConvPoolShape& shape, const float* weight, const float* bias, const Lanes* corner, Lanes* output,
                             LaneInts* choice) {
  const std::size_t width = shape.width;
  Lanes sum[kBlock][4];
  for (std::size_t o = 0; o < kBlock; ++o) {
    for (Lanes& x : sum[o]) x = Lanes{} + bias[o];
  }
  for (std::size_t c = 0; c < shape.in; ++c) {
#pragma GCC unroll 3
    for (std::size_t i = 0; i < 3; ++i) {
#pragma GCC unroll 3
      for (std::size_t j = 0; j < 3; ++j) {
        const Lanes* x = corner + (c * shape.height + i) * width + j;
#pragma GCC unroll 5
        for (std::size_t o = 0; o < kBlock; ++o) {
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
  for (std::size_t o = 0; o < kBlock; ++o) {
    Lanes best = sum[o][0];
    LaneInts which{};
    for (int k = 1; k < 4; ++k) {
      const LaneInts larger = sum[o][k] > best;
      best = larger ? sum[o][k] : best;
      which = larger ? LaneInts{} + k : which;
    }
    output[o * plane] = relu(best);
    choice[o * plane] = which;
  }
}

}  // namespace

void conv_pool_forward(const ConvPoolShape& shape, const float* weight, const float* bias, const Lanes* input, Lanes* output,
                       LaneInts* choice) {
  const std::size_t height = shape.out_height();
  const std::size_t width = shape.out_width();
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t o = 0; o < shape.out; o += kBlock) {
      for (std::size_t x = 0; x < width; ++x) {
        const std::size_t at = (o * height + y) * width + x;
        forward_position(shape, weight + o * shape.in * 9, bias + o, input + 2 * y * shape.width + 2 * x, output + at, choice + at);
      }
    }
  }
}

// The gradient of a pooled number belongs to one of four positions of the convolution, another one for
// each sample. Selecting the input (or the weight) that this position meets costs less than multiplying
// all four by a gradient that is zero for three of them.

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
        const LaneInts right = (plane_choice[y * width + x] & 1) != 0;
        const LaneInts lower = (plane_choice[y * width + x] & 2) != 0;
        const Lanes* row = channel + 2 * y * shape.width + 2 * x;
        Lanes above[3];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i) {
#pragma GCC unroll 3
          for (std::size_t j = 0; j < 3; ++j) {
            const Lanes met = right ? row[i * shape.width + j + 1] : row[i * shape.width + j];
            if (i > 0) tap[i - 1][j] += g * (lower ? met : above[j]);
            above[j] = met;
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
                                  float* weight_gradient, float* bias_gradient) {
  const std::size_t size = shape.out_height() * shape.out_width();
  for (std::size_t o = 0; o < shape.out; ++o) {
    bias_gradient[o] += sum_lanes(sum_of_plane(gradient + o * size, size));
    for (std::size_t c = 0; c < shape.in; ++c) {
      const TapSums sums(shape, input + c * shape.height * shape.width, gradient + o * size, choice + o * size);
      for (std::size_t tap = 0; tap < 9; ++tap) weight_gradient[(o * shape.in + c) * 9 + tap] += sum_lanes(sums.tap[tap / 3][tap % 3]);
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

void conv_pool_input_gradient(const ConvPoolShape& shape, const float* weight, const Lanes* gradient, const LaneInts* choice,
                              Lanes* input_gradient) {
  const std::size_t height = shape.out_height();
  const std::size_t width = shape.out_width();
  std::fill_n(input_gradient, shape.input_size(), Lanes{});
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < shape.in; ++c) {
        Lanes patch[4][4]{};
        for (std::size_t o = 0; o < shape.out; ++o) {
          const std::size_t at = (o * height + y) * width + x;
          const LaneInts right = (choice[at] & 1) != 0;
          const LaneInts lower = (choice[at] & 2) != 0;
          const Lanes g_upper = lower ? Lanes{} : gradient[at];
          const Lanes g_lower = lower ? gradient[at] : Lanes{};
          const float* w = weight + (o * shape.in + c) * 9;
#pragma GCC unroll 3
          for (std::size_t i = 0; i < 3; ++i) {
            const Lanes tap[5] = {Lanes{}, Lanes{} + w[3 * i], Lanes{} + w[3 * i + 1], Lanes{} + w[3 * i + 2], Lanes{}};
#pragma GCC unroll 4
            for (std::size_t j = 0; j < 4; ++j) {
              const Lanes met = right ? tap[j] : tap[j + 1];
              patch[i][j] += g_upper * met;
              patch[i + 1][j] += g_lower * met;
            }
          }
        }
        Lanes* corner = input_gradient + (c * shape.height + 2 * y) * shape.width + 2 * x;
        for (std::size_t i = 0; i < 4; ++i) {
          for (std::size_t j = 0; j < 4; ++j) corner[i * shape.width + j] += patch[i][j];
        }
      }
    }
  }
}

}  // namespace paretofl
