#include "paretofl/kernels/max_pool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

// Small whole numbers, of which many are equal, and some that are none.
std::vector<float> numbers_to_pool(std::size_t count) {
  Random random({.seed = 7}, "numbers");
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    number = static_cast<float>(random.below(4));
    if (random.below(9) == 0) number = std::numeric_limits<float>::quiet_NaN();
    if (random.below(3) == 0) number = -std::numeric_limits<float>::infinity();
  }
  return numbers;
}

TEST(MaxPool, TakesTheFirstOfTheLargestAndTheLastNaN) {
  const std::size_t count = 3;
  for (const std::size_t height : {1, 6, 7}) {
    for (const std::size_t width : {1, 2, 9, 12, 28, 32, 38, 100}) {
      for (const std::size_t channels : {1, 2, 10, 19}) {
        const std::vector<float> input = numbers_to_pool(count * height * width * channels);
        std::vector<float> output(count * (height / 2) * (width / 2) * channels);
        std::vector<std::int64_t> indices(output.size());
        max_pool_by_two(count, height, width, channels, input.data(), output.data(), indices.data());
        for (std::size_t at = 0; at < output.size(); ++at) {
          const std::size_t c = at % channels;
          const std::size_t image = at / channels / ((height / 2) * (width / 2));
          const std::size_t window = at / channels % ((height / 2) * (width / 2));
          const float* numbers = input.data() + image * height * width * channels;
          std::size_t best = window / (width / 2) * 2 * width + window % (width / 2) * 2;
          for (const std::size_t index : {best + 1, best + width, best + width + 1}) {
            const float number = numbers[index * channels + c];
            if (number > numbers[best * channels + c] || std::isnan(number)) best = index;
          }
          const float largest = numbers[best * channels + c];
          EXPECT_EQ(indices[at], static_cast<std::int64_t>(best));
          EXPECT_TRUE(output[at] == largest || (std::isnan(output[at]) && std::isnan(largest)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace paretofl
