#pragma once

#include <cstddef>
#include <cstdint>

namespace paretofl {

/// Max-pooling of windows of 2 x 2 with stride 2: writes the largest number of each window of images [count, height, width] to output
/// [count, height / 2, width / 2], and where it lies in its image, row * width + column, to indices of the same shape. An odd height's or
/// width's last row or column is left out. Of equal numbers the first is taken, and of NaNs the last, as in PyTorch, whose bits these are.
void max_pool_by_two(std::size_t count, std::size_t height, std::size_t width, const float* input, float* output, std::int64_t* indices);

}  // namespace paretofl
