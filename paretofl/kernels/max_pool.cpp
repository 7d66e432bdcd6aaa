#include "paretofl/kernels/max_pool.h"

#include <limits>

namespace paretofl {
namespace {

// The largest number so far, and where it lies. Without a branch, so that the compiler computes several windows at once.
struct Largest {
  void offer(float number, std::int32_t at) {
    const bool taken = (number > value) | (number != number);
    value = taken ? number : value;
    index = taken ? at : index;
  }

  std::int32_t index;
  float value = -std::numeric_limits<float>::infinity();
};

// The windows of two rows, of which `begin` is the index of the first number.
void pool_rows(const float* __restrict upper, const float* __restrict lower, std::int32_t begin, std::int32_t width,
               float* __restrict output, std::int64_t* __restrict indices) {
  for (std::int32_t j = 0; j < width / 2; ++j) {
    const std::int32_t at = begin + 2 * j;
    Largest largest{.index = at};
    largest.offer(upper[2 * j], at);
    largest.offer(upper[2 * j + 1], at + 1);
    largest.offer(lower[2 * j], at + width);
    largest.offer(lower[2 * j + 1], at + width + 1);
    output[j] = largest.value;
    indices[j] = largest.index;
  }
}

// The same, with several channels for each place of the image.
void pool_rows_of_channels(const float* upper, const float* lower, std::int32_t begin, std::int32_t width, std::size_t channels,
                           float* __restrict output, std::int64_t* __restrict indices) {
  for (std::int32_t at = begin; at + 1 < begin + width; at += 2) {
    for (std::size_t c = 0; c < channels; ++c) {
      Largest largest{.index = at};
      largest.offer(upper[c], at);
      largest.offer(upper[channels + c], at + 1);
      largest.offer(lower[c], at + width);
      largest.offer(lower[channels + c], at + width + 1);
      output[c] = largest.value;
      indices[c] = largest.index;
    }
    upper += 2 * channels;
    lower += 2 * channels;
    output += channels;
    indices += channels;
  }
}

}  // namespace

void max_pool_by_two(std::size_t count, std::size_t height, std::size_t width, std::size_t channels, const float* input, float* output,
                     std::int64_t* indices) {
  const auto columns = static_cast<std::int32_t>(width);
  for (std::size_t image = 0; image < count; ++image) {
    for (std::size_t i = 0; i < height / 2; ++i) {
      const float* upper = input + (image * height + 2 * i) * width * channels;
      const float* lower = upper + width * channels;
      const auto begin = static_cast<std::int32_t>(2 * i * width);
      if (channels == 1) {
        pool_rows(upper, lower, begin, columns, output, indices);
      } else {
        pool_rows_of_channels(upper, lower, begin, columns, channels, output, indices);
      }
      output += width / 2 * channels;
      indices += width / 2 * channels;
    }
  }
}

}  // namespace paretofl
