#include "paretofl/kernels/transpose.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(Transpose, SwapsRowsAndColumns) {
  Lanes block[kLanes];
  for (std::size_t row = 0; row < kLanes; ++row) {
    for (std::size_t column = 0; column < kLanes; ++column) block[row][column] = static_cast<float>(100 * row + column);
  }
  transpose(block);
  for (std::size_t row = 0; row < kLanes; ++row) {
    for (std::size_t column = 0; column < kLanes; ++column) EXPECT_EQ(block[row][column], static_cast<float>(100 * column + row));
  }
}

}  // namespace
}  // namespace paretofl
