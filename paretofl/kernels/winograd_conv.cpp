#include "paretofl/kernels/winograd_conv.h"

#include <algorithm>
#include <array>

#include "paretofl/core/error.h"
#include "paretofl/kernels/pool_choice.h"

namespace paretofl {
namespace {

constexpr std::size_t kPoints = 16;                   // products per patch and pair of channels
constexpr std::size_t kTiles = kLanes == 16 ? 4 : 2;  // positions that share each load of a weight
constexpr std::size_t kChannels = WinogradConv::kChannels;

// B^T x B of a patch x whose rows lie `width` apart: [16], `stride` apart.
inline void transform_patch(const Lanes* x, std::size_t width, Lanes* points, std::size_t stride) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    const Lanes* plus = x + (i == 0 ? 0 : i == 1 ? 1 : i == 2 ? 2 : 3) * width;
    const Lanes* other = x + (i == 0 ? 2 : i == 1 ? 2 : 1) * width;
    Lanes row[4];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4; ++j) row[j] = i == 1 ? plus[j] + other[j] : plus[j] - other[j];
    points[(4 * i) * stride] = row[0] - row[2];
    points[(4 * i + 1) * stride] = row[1] + row[2];
    points[(4 * i + 2) * stride] = row[2] - row[1];
    points[(4 * i + 3) * stride] = row[3] - row[1];
  }
}

// A g A^T of the 2x2 gradient that has this one number: [16], `stride` apart.
inline void transform_gradient(Lanes gradient, LaneInts choice, Lanes* points, std::size_t stride) {
  Lanes g[4];
  route_gradient(gradient, choice, g);
  const Lanes left[4] = {g[0], g[0] + g[2], g[0] - g[2], g[2]};
  const Lanes right[4] = {g[1], g[1] + g[3], g[1] - g[3], g[3]};
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    points[(4 * i) * stride] = left[i];
    points[(4 * i + 1) * stride] = left[i] + right[i];
    points[(4 * i + 2) * stride] = left[i] - right[i];
    points[(4 * i + 3) * stride] = right[i];
  }
}

// products [16, kChannels, Tiles] = the sums over the terms of weight [16, terms, kChannels] times points [16, terms, Tiles].
template <std::size_t Tiles>
inline void multiply_points(const float* weight, const Lanes* points, std::size_t terms, Lanes* products) {
  for (std::size_t p = 0; p < kPoints; ++p) {
    Lanes sum[kChannels][Tiles]{};
    for (std::size_t k = 0; k < terms; ++k) {
#pragma GCC unroll 5
      for (std::size_t channel = 0; channel < kChannels; ++channel) {
#pragma GCC unroll 4
        for (std::size_t t = 0; t < Tiles; ++t) sum[channel][t] += weight[channel] * points[t];
      }
      weight += kChannels;
      points += Tiles;
    }
#pragma GCC unroll 5
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
#pragma GCC unroll 4
      for (std::size_t t = 0; t < Tiles; ++t) products[(p * kChannels + channel) * Tiles + t] = sum[channel][t];
    }
  }
}

// A^T m A: the four numbers of a pool.
inline void inverse_transform(const Lanes* m, std::size_t stride, Lanes (&numbers)[4]) {
  Lanes rows[2][4];
#pragma GCC unroll 4
  for (std::size_t j = 0; j < 4; ++j) {
    const Lanes m1 = m[(4 + j) * stride];
    const Lanes m2 = m[(8 + j) * stride];
    rows[0][j] = m[j * stride] + m1 + m2;
    rows[1][j] = m1 - m2 + m[(12 + j) * stride];
  }
  for (std::size_t i = 0; i < 2; ++i) {
    numbers[2 * i] = rows[i][0] + rows[i][1] + rows[i][2];
    numbers[2 * i + 1] = rows[i][1] - rows[i][2] + rows[i][3];
  }
}

// Adds B m B^T to a patch.
inline void add_patch(const Lanes* m, std::size_t stride, Lanes* patch, std::size_t width) {
  Lanes rows[4][4];
#pragma GCC unroll 4
  for (std::size_t j = 0; j < 4; ++j) {
    const Lanes m0 = m[j * stride];
    const Lanes m1 = m[(4 + j) * stride];
    const Lanes m2 = m[(8 + j) * stride];
    const Lanes m3 = m[(12 + j) * stride];
    rows[0][j] = m0;
    rows[1][j] = m1 - m2 - m3;
    rows[2][j] = m1 + m2 - m0;
    rows[3][j] = m3;
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    Lanes* to = patch + i * width;
    to[0] += rows[i][0];
    to[1] += rows[i][1] - rows[i][2] - rows[i][3];
    to[2] += rows[i][1] + rows[i][2] - rows[i][0];
    to[3] += rows[i][3];
  }
}

// G w G^T of a filter [3, 3].
std::array<float, kPoints> transform_filter(const float* w) {
  const auto column = [](float a, float b, float c) { return std::array{a, 0.5F * (a + c + b), 0.5F * (a + c - b), c}; };
  std::array<std::array<float, 4>, 3> columns;
  for (std::size_t j = 0; j < 3; ++j) columns[j] = column(w[j], w[3 + j], w[6 + j]);
  std::array<float, kPoints> points;
  for (std::size_t i = 0; i < 4; ++i) std::ranges::copy(column(columns[0][i], columns[1][i], columns[2][i]), points.begin() + 4 * i);
  return points;
}

}  // namespace

WinogradConv::WinogradConv(const ConvPoolShape& shape)
    : shape_(shape),
      by_output_(kPoints * shape.in * shape.out),
      by_input_(by_output_.size()),
      transformed_(kPoints * std::max(shape.in, shape.out) * kTiles) {
  expect(shape.in % kChannels == 0 && shape.out % kChannels == 0,
         "convolution: expected numbers of channels that are multiples of {}, found {} and {}", kChannels, shape.in, shape.out);
}

void WinogradConv::set_weight(const float* weight) {
  const auto place = [](std::size_t side_by_side, std::size_t point, std::size_t term, std::size_t terms) {
    return ((side_by_side / kChannels * kPoints + point) * terms + term) * kChannels + side_by_side % kChannels;
  };
  for (std::size_t o = 0; o < shape_.out; ++o) {
    for (std::size_t c = 0; c < shape_.in; ++c) {
      const std::array<float, kPoints> points = transform_filter(weight + (o * shape_.in + c) * 9);
      for (std::size_t p = 0; p < kPoints; ++p) {
        by_output_[place(o, p, c, shape_.in)] = points[p];
        by_input_[place(c, p, o, shape_.out)] = points[p];
      }
    }
  }
}

std::size_t WinogradConv::corner(std::size_t tile) const {
  return 2 * (tile / shape_.out_width()) * shape_.width + 2 * (tile % shape_.out_width());
}

template <std::size_t Tiles>
void WinogradConv::forward_tiles(const float* bias, const Lanes* input, std::size_t first, Lanes* output, LaneInts* choice) {
  const std::size_t plane = shape_.out_height() * shape_.out_width();
  for (std::size_t t = 0; t < Tiles; ++t) {
    const Lanes* patch = input + corner(first + t);
    for (std::size_t c = 0; c < shape_.in; ++c) {
      transform_patch(patch + c * shape_.height * shape_.width, shape_.width, &transformed_[c * Tiles + t], shape_.in * Tiles);
    }
  }
  Lanes products[kPoints * kChannels * Tiles];
  for (std::size_t o = 0; o < shape_.out; o += kChannels) {
    multiply_points<Tiles>(&by_output_[o * kPoints * shape_.in], transformed_.data(), shape_.in, products);
    for (std::size_t k = 0; k < kChannels; ++k) {
      for (std::size_t t = 0; t < Tiles; ++t) {
        Lanes numbers[4];
        inverse_transform(products + k * Tiles + t, kChannels * Tiles, numbers);
        const LargestOfFour largest(numbers);
        const std::size_t at = (o + k) * plane + first + t;
        output[at] = relu(largest.value + bias[o + k]);
        choice[at] = largest.which;
      }
    }
  }
}

void WinogradConv::forward(const float* bias, const Lanes* input, Lanes* output, LaneInts* choice) {
  const std::size_t tiles = shape_.out_height() * shape_.out_width();
  std::size_t t = 0;
  for (; t + kTiles <= tiles; t += kTiles) forward_tiles<kTiles>(bias, input, t, output, choice);
  for (; t < tiles; ++t) forward_tiles<1>(bias, input, t, output, choice);
}

template <std::size_t Tiles>
void WinogradConv::input_gradient_tiles(const Lanes* gradient, const LaneInts* choice, std::size_t first, Lanes* input_gradient) {
  const std::size_t plane = shape_.out_height() * shape_.out_width();
  for (std::size_t o = 0; o < shape_.out; ++o) {
    for (std::size_t t = 0; t < Tiles; ++t) {
      const std::size_t at = o * plane + first + t;
      transform_gradient(gradient[at], choice[at], &transformed_[o * Tiles + t], shape_.out * Tiles);
    }
  }
  Lanes products[kPoints * kChannels * Tiles];
  for (std::size_t c = 0; c < shape_.in; c += kChannels) {
    multiply_points<Tiles>(&by_input_[c * kPoints * shape_.out], transformed_.data(), shape_.out, products);
    for (std::size_t k = 0; k < kChannels; ++k) {
      for (std::size_t t = 0; t < Tiles; ++t) {
        Lanes* patch = input_gradient + (c + k) * shape_.height * shape_.width + corner(first + t);
        add_patch(products + k * Tiles + t, kChannels * Tiles, patch, shape_.width);
      }
    }
  }
}

void WinogradConv::input_gradient(const Lanes* gradient, const LaneInts* choice, Lanes* input_gradient) {
  std::fill_n(input_gradient, shape_.input_size(), Lanes{});
  const std::size_t tiles = shape_.out_height() * shape_.out_width();
  std::size_t t = 0;
  for (; t + kTiles <= tiles; t += kTiles) input_gradient_tiles<kTiles>(gradient, choice, t, input_gradient);
  for (; t < tiles; ++t) input_gradient_tiles<1>(gradient, choice, t, input_gradient);
}

}  // namespace paretofl
