#include "paretofl/kernels/int8_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

/// A matrix of normal numbers, row by row or column by column, that keeps its numbers.
struct Int8Case {
  Int8Case(std::size_t out, std::size_t in, bool by_columns = false) : numbers(out * in) {
    Random random({out, static_cast<std::uint32_t>(in)}, "matrix");
    for (float& value : numbers) value = static_cast<float>(random.normal());
    matrix = {.values = numbers.data(), .out = out, .in = in, .out_stride = by_columns ? 1 : in, .in_stride = by_columns ? out : 1};
  }
  float at(std::size_t row, std::size_t column) const { return numbers[row * matrix.out_stride + column * matrix.in_stride]; }

  std::vector<float> numbers;
  LaneMatrix matrix;
};

std::vector<Lanes> normal_lanes(std::size_t count) {
  Random random({count}, "lanes");
  std::vector<Lanes> lanes(count);
  for (std::size_t n = 0; n < kLanes; ++n) {  // so that a lane does not depend on their number
    for (Lanes& x : lanes) x[n] = static_cast<float>(random.normal());
  }
  return lanes;
}

TEST(Int8Matrix, IsOffByAtMostHalfAStep) {
  for (const bool by_columns : {false, true}) {
    for (const std::size_t in : {1, 4, 21, 64}) {
      const Int8Case w(13, in, by_columns);
      const Int8Matrix rounded(w.matrix);
      EXPECT_EQ(rounded.out(), 13U);
      EXPECT_EQ(rounded.in(), in);
      for (std::size_t row = 0; row < 13; ++row) {
        float most = 0;
        for (std::size_t i = 0; i < in; ++i) {
          EXPECT_LE(std::abs(rounded.at(row, i) - w.at(row, i)), 0.50001F * rounded.scale(row));
          most = std::max(most, std::abs(w.at(row, i)));
        }
        EXPECT_FLOAT_EQ(127 * rounded.scale(row), most);
      }
    }
  }
}

TEST(Int8Matrix, KeepsZerosAndTakesAQuarterOfTheMemory) {
  Int8Case w(12, 64);
  std::fill_n(w.numbers.begin() + 64, 64, 0.F);
  const Int8Matrix rounded(w.matrix);
  EXPECT_EQ(rounded.scale(1), 0);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(rounded.at(1, i), 0);
  EXPECT_EQ(rounded.bytes(), 12U * (64 + 8));
}

TEST(Int8Matrix, RefusesWhatCannotBeRounded) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Int8Case w(2, 5);
    w.numbers[7] = bad;
    EXPECT_THROW(Int8Matrix{w.matrix}, Error);
  }
  const Int8Case wide(1, 65537);
  EXPECT_THROW(Int8Matrix{wide.matrix}, Error);
}

// Against numbers computed one by one, bit for bit, so that no width of registers and no instruction set changes them; and against the
// product in double precision, where the only difference is the rounding of x.
TEST(Int8Product, IsTheSameBitsAsOneByOneAndCloseToTheProductOfTheRoundedMatrix) {
  for (const std::size_t out : {1, 6, 29}) {
    for (const std::size_t in : {3, 64, 130}) {
      const Int8Case w(out, in);
      const Int8Matrix rounded(w.matrix);
      for (const std::size_t blocks : {1, 2, 3}) {
        std::vector<Lanes> x = normal_lanes(blocks * in);
        for (std::size_t i = 0; i < in; ++i) x[i][1] = 0;
        std::vector<Lanes> y(blocks * out), plain(blocks * out);
        int8_product(rounded, x.data(), blocks, y.data());
        int8_product(rounded, x.data(), blocks, plain.data(), Int8Instructions::kPlain);
        for (std::size_t b = 0; b < blocks; ++b) {
          for (std::size_t n = 0; n < kLanes; ++n) {
            float most = 0;
            for (std::size_t i = 0; i < in; ++i) most = std::max(most, std::abs(x[b * in + i][n]));
            const float factor = most > 0 ? 127 / most : 0;
            for (std::size_t row = 0; row < out; ++row) {
              std::int64_t sum = 0;
              double expected = 0, size = 0;
              for (std::size_t i = 0; i < in; ++i) {
                const auto q = std::lround(rounded.at(row, i) / rounded.scale(row));
                sum += q * static_cast<std::int64_t>(std::nearbyint(double{x[b * in + i][n]} * factor));
                expected += double{rounded.at(row, i)} * x[b * in + i][n];
                size += std::abs(rounded.at(row, i));
              }
              const float found = y[b * out + row][n];
              ASSERT_EQ(found, static_cast<float>(sum) * (most / 127 * rounded.scale(row))) << row << " " << n;
              ASSERT_EQ(found, plain[b * out + row][n]);
              ASSERT_NEAR(found, expected, 1e-6 + 0.501 * size * most / 127);
            }
          }
        }
      }
    }
  }
}

TEST(Int8Product, SumsTheLargestNumbersExactly) {
  const std::size_t in = 65536;
  const std::vector<float> largest(in, -1.F);
  const Int8Matrix rounded({.values = largest.data(), .out = 1, .in = in, .out_stride = in, .in_stride = 1});
  const std::vector<Lanes> x(in, Lanes{} + 1.F);
  for (const Int8Instructions instructions : {Int8Instructions::kFastest, Int8Instructions::kPlain}) {
    Lanes y{};
    int8_product(rounded, x.data(), 1, &y, instructions);
    EXPECT_FLOAT_EQ(y[0], -65536);
  }
}

}  // namespace
}  // namespace paretofl
