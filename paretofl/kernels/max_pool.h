#pragma once

#include <cstddef>
#include <cstdint>

namespace paretofl {

/// Max-pooling of windows of 2 x 2 with stride 2: writes the largest number of each window of images [count, height, width, channels] to
/// output [count, height / 2, width / 2, channels], and where it lies in its image, row * width + column, to indices of the same shape.
/// Images whose channels lie one after the other, [n, channels, height, width], are n * channels images of one channel. An odd height's or
/// width's last row or column is left out. Of equal numbers the first is taken, and of NaNs the last, as in PyTorch, whose bits these are.
void max_pool_by_two(std::size_t count, std::size_t height, std::size_t width, std::size_t channels, const float* input, float* output,
                     std::int64_t* indices);

}  // namespace paretofl
