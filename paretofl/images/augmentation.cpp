#include "paretofl/images/augmentation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// (pixel / 255 - mean) / std = scale * pixel - shift.
struct Normalization {
  float scale;
  float shift;
};

// Written so that they become single vector instructions.
inline float minimum(float a, float b) { return a < b ? a : b; }
inline float clamp(float x, float high) { return minimum(x > 0 ? x : 0, high); }
// Of numbers from +0 on, which are ordered as their bits are. g++ makes branches of two comparisons after each other, but not of these.
inline float smaller(float a, float b) {
  return std::bit_cast<float>(std::min(std::bit_cast<std::int32_t>(a), std::bit_cast<std::int32_t>(b)));
}
inline float byte(std::uint32_t four, int shift) { return static_cast<float>(static_cast<int>(four >> shift & 0xff)); }

void normalize(std::span<const std::uint8_t> pixels, Normalization to, float* __restrict out) {
  const std::uint8_t* __restrict in = pixels.data();
  const std::size_t size = pixels.size();
  for (std::size_t i = 0; i < size; ++i) out[i] = to.scale * static_cast<float>(in[i]) - to.shift;
}

// Bilinear rotation as one load per output pixel: entry (y, x) of the table packs the four bytes at
// (y, x), (y, x+1), (y+1, x), (y+1, x+1), with a border of zeros around the image. What lies outside
// contributes neither to the value nor to the coverage (the share of the weights inside the image), so
// that scale * value - shift * coverage is the rotation of the normalized image with zeros outside.
class Rotator {
 public:
  Rotator(std::size_t height, std::size_t width) : height_(height), width_(width) {
    table_.resize((height + 2) * (width + 2));
    padded_.resize((height + 3) * (width + 2) + 1);
    index_.resize(height * width);
    right_share_.resize(height * width);
    bottom_share_.resize(height * width);
    four_.resize(height * width);
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        offset_x_.push_back(static_cast<float>(x) - 0.5F * static_cast<float>(width - 1));
        offset_y_.push_back(static_cast<float>(y) - 0.5F * static_cast<float>(height - 1));
      }
    }
  }

  bool fits(std::size_t height, std::size_t width) const { return height == height_ && width == width_; }

  void rotate(std::span<const std::uint8_t> plane, double degrees, bool nearest, Normalization to, float* __restrict out) {
    pack(plane);
    const double radians = degrees * (std::numbers::pi / 180);
    const auto cosine = static_cast<float>(std::cos(radians));
    const auto sine = static_cast<float>(std::sin(radians));
    const auto columns = static_cast<float>(width_), rows = static_cast<float>(height_);
    const float center_x = 0.5F * (columns - 1), center_y = 0.5F * (rows - 1);
    const int stride = static_cast<int>(width_) + 2;
    const std::uint32_t* __restrict table = table_.data();
    const float* __restrict offset_x = offset_x_.data();
    const float* __restrict offset_y = offset_y_.data();
    const int size = static_cast<int>(plane.size());
    int* __restrict index = index_.data();
    float* __restrict right_share = right_share_.data();
    float* __restrict bottom_share = bottom_share_.data();
    std::uint32_t* __restrict four = four_.data();
    // Where output pixel i comes from, plus one for the border; beyond the border all is zero. In a loop of its own, since g++
    // makes vector instructions of this and of the loop after it, but not of both in one.
    for (int i = 0; i < size; ++i) {
      right_share[i] = clamp(center_x + cosine * offset_x[i] - sine * offset_y[i] + 1, columns + 1);
      bottom_share[i] = clamp(center_y + sine * offset_x[i] + cosine * offset_y[i] + 1, rows + 1);
    }
    if (nearest) {
      for (int i = 0; i < size; ++i) {
        right_share[i] = std::floor(right_share[i] + 0.5F);
        bottom_share[i] = std::floor(bottom_share[i] + 0.5F);
      }
    }
    for (int i = 0; i < size; ++i) {
      const float x = right_share[i], y = bottom_share[i];
      const int left = static_cast<int>(x), top = static_cast<int>(y);
      right_share[i] = x - static_cast<float>(left);
      bottom_share[i] = y - static_cast<float>(top);
      index[i] = top * stride + left;
      out[i] = smaller(1.0F, smaller(x, columns + 1 - x)) * smaller(1.0F, smaller(y, rows + 1 - y));  // coverage
    }
    for (int i = 0; i < size; ++i) four[i] = table[index[i]];
    for (int i = 0; i < size; ++i) {
      const float top_left = byte(four[i], 0), top_right = byte(four[i], 8), bottom_left = byte(four[i], 16),
                  bottom_right = byte(four[i], 24);
      const float above = top_left + right_share[i] * (top_right - top_left);
      const float below = bottom_left + right_share[i] * (bottom_right - bottom_left);
      out[i] = to.scale * (above + bottom_share[i] * (below - above)) - to.shift * out[i];
    }
  }

 private:
  void pack(std::span<const std::uint8_t> plane) {
    const std::size_t stride = width_ + 2;
    for (std::size_t y = 0; y < height_; ++y) std::copy_n(plane.data() + y * width_, width_, padded_.data() + (y + 1) * stride + 1);
    const std::uint8_t* __restrict here = padded_.data();
    const std::uint8_t* __restrict below = padded_.data() + stride;
    std::uint32_t* __restrict table = table_.data();
    const std::size_t size = table_.size();
    for (std::size_t i = 0; i < size; ++i) {
      table[i] =
          std::uint32_t{here[i]} | std::uint32_t{here[i + 1]} << 8 | std::uint32_t{below[i]} << 16 | std::uint32_t{below[i + 1]} << 24;
    }
  }

  std::size_t height_, width_;
  std::vector<std::uint8_t> padded_;               // [H + 3, W + 2] and one more, the image at (1, 1) among zeros
  std::vector<std::uint32_t> table_;               // [H + 2, W + 2]
  std::vector<float> offset_x_, offset_y_;         // [H, W] from the centre
  std::vector<int> index_;                         // [H, W] into the table
  std::vector<float> right_share_, bottom_share_;  // [H, W] weights of the right and the bottom neighbours
  std::vector<std::uint32_t> four_;                // [H, W] gathered entries
};

Rotator& rotator(std::size_t height, std::size_t width) {
  thread_local Rotator instance(height, width);
  if (!instance.fits(height, width)) instance = Rotator(height, width);
  return instance;
}

// One for each channel.
std::vector<Normalization> normalizations(const Augmentation& augmentation, std::size_t channels) {
  const auto fits = [&](const std::vector<double>& values) { return values.size() == 1 || values.size() == channels; };
  expect(fits(augmentation.mean) && fits(augmentation.std),
         "inputs: expected a mean and a std for all or each of {} channels, found {} and {}", channels, augmentation.mean.size(),
         augmentation.std.size());
  std::vector<Normalization> list;
  for (std::size_t c = 0; c < channels; ++c) {
    const double mean = augmentation.mean[augmentation.mean.size() == 1 ? 0 : c];
    const double std = augmentation.std[augmentation.std.size() == 1 ? 0 : c];
    expect(std > 0, "inputs: expected a positive std, found {}", std);
    list.push_back({static_cast<float>(1 / (255 * std)), static_cast<float>(mean / std)});
  }
  return list;
}

double draw_angle(const Augmentation& augmentation, Random& random) {
  if (!augmentation.whole_degrees) return random.uniform(-augmentation.degrees, augmentation.degrees);
  const double most = std::floor(augmentation.degrees);
  return static_cast<double>(random.below(2 * static_cast<std::uint64_t>(most) + 1)) - most;
}

}  // namespace

void write_inputs(const ImageDataset& dataset, std::span<const std::uint32_t> samples, const Augmentation& augmentation, Random* random,
                  std::span<float> out) {
  expect(out.size() == samples.size() * dataset.image_size(), "inputs: expected room for {} values, found {}",
         samples.size() * dataset.image_size(), out.size());
  expect(augmentation.degrees >= 0, "inputs: expected degrees of at least 0, found {}", augmentation.degrees);
  expect(augmentation.flip_probability >= 0 && augmentation.flip_probability <= 1,
         "inputs: expected a flip_probability from 0 to 1, found {}", augmentation.flip_probability);
  const std::vector<Normalization> to = normalizations(augmentation, dataset.channels);
  const bool rotated = random != nullptr && augmentation.degrees > 0;
  const std::size_t plane_size = dataset.height * dataset.width;
  float* next = out.data();
  for (const std::uint32_t sample : samples) {
    expect(sample < dataset.count, "inputs: expected samples below {}, found {}", dataset.count, sample);
    const auto image = dataset.image(sample);
    const double degrees = rotated ? draw_angle(augmentation, *random) : 0;
    for (std::size_t c = 0; c < dataset.channels; ++c, next += plane_size) {
      const auto plane = image.subspan(c * plane_size, plane_size);
      if (rotated) {
        rotator(dataset.height, dataset.width).rotate(plane, degrees, augmentation.nearest, to[c], next);
      } else {
        normalize(plane, to[c], next);
      }
    }
  }
  const bool mirrored = random != nullptr && augmentation.flip_probability > 0 && random->uniform() < augmentation.flip_probability;
  if (!mirrored) return;
  for (std::size_t row = 0; row < out.size(); row += dataset.width) {
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(row), out.begin() + static_cast<std::ptrdiff_t>(row + dataset.width));
  }
}

}  // namespace paretofl
