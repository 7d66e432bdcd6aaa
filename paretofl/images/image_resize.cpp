#include "paretofl/images/image_resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr int kBits = 22;  // so that 255 times their sum fits in 32

// What an output pixel is made of: `first` and the pixels after it, with weights that sum to 2^kBits.
struct Mixture {
  std::size_t first = 0;
  std::vector<std::int32_t> weights;
};

std::vector<Mixture> mixtures(std::size_t in, std::size_t out) {
  const double scale = static_cast<double>(in) / static_cast<double>(out);
  const double reach = std::max(scale, 1.0);
  std::vector<Mixture> list(out);
  for (std::size_t i = 0; i < out; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * scale;
    const auto first = static_cast<std::size_t>(std::floor(std::max(centre - reach + 0.5, 0.0)));
    const auto end = std::min(static_cast<std::size_t>(std::floor(centre + reach + 0.5)), in);
    std::vector<double> shares;
    double sum = 0;
    for (std::size_t j = first; j < end; ++j) {
      shares.push_back(std::max(1 - std::abs(static_cast<double>(j) + 0.5 - centre) / reach, 0.0));
      sum += shares.back();
    }
    list[i].first = first;
    for (const double share : shares) list[i].weights.push_back(static_cast<std::int32_t>(std::lround(share / sum * (1 << kBits))));
  }
  return list;
}

// One output pixel from inputs `stride` apart.
std::uint8_t mix(const std::uint8_t* line, std::size_t stride, const Mixture& mixture) {
  std::int32_t sum = 1 << (kBits - 1);
  const std::uint8_t* in = line + mixture.first * stride;
  for (const std::int32_t weight : mixture.weights) {
    sum += weight * *in;
    in += stride;
  }
  return static_cast<std::uint8_t>(sum >> kBits);
}

}  // namespace

void resize_bilinear(std::span<const std::uint8_t> in, std::size_t in_height, std::size_t in_width, std::size_t channels,
                     std::span<std::uint8_t> out, std::size_t out_height, std::size_t out_width) {
  expect(!in.empty() && !out.empty() && in.size() == channels * in_height * in_width && out.size() == channels * out_height * out_width,
         "resize: expected {0} x {1} x {2} pixels in and {0} x {3} x {4} out, at least one of each, found {5} and {6}", channels, in_height,
         in_width, out_height, out_width, in.size(), out.size());
  const std::vector<Mixture> columns = mixtures(in_width, out_width), rows = mixtures(in_height, out_height);
  std::vector<std::uint8_t> narrow(in_height * out_width);
  for (std::size_t c = 0; c < channels; ++c) {
    const std::uint8_t* const plane = in.data() + c * in_height * in_width;
    for (std::size_t y = 0; y < in_height; ++y) {
      for (std::size_t x = 0; x < out_width; ++x) narrow[y * out_width + x] = mix(plane + y * in_width, 1, columns[x]);
    }
    std::uint8_t* const result = out.data() + c * out_height * out_width;
    for (std::size_t y = 0; y < out_height; ++y) {
      for (std::size_t x = 0; x < out_width; ++x) result[y * out_width + x] = mix(narrow.data() + x, out_width, rows[y]);
    }
  }
}

}  // namespace paretofl
