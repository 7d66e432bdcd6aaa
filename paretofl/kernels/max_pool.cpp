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

}  // namespace

void max_pool_by_two(std::size_t count, std::size_t height, std::size_t width, const float* input, float* output, std::int64_t* indices) {
  for (std::size_t image = 0; image < count; ++image) {
    for (std::size_t i = 0; i < height / 2; ++i) {
      const float* upper = input + (image * height + 2 * i) * width;
      pool_rows(upper, upper + width, static_cast<std::int32_t>(2 * i * width), static_cast<std::int32_t>(width), output, indices);
      output += width / 2;
      indices += width / 2;
    }
  }
}

}  // namespace paretofl
