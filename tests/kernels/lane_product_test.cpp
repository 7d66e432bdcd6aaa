#include "paretofl/kernels/lane_product.h"

#include <gtest/gtest.h>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

TEST(LaneProduct, MultipliesEveryRowByTheMatrix) {
  for (const std::size_t out : {1, 4, 12, 29, 300}) {
    for (const std::size_t blocks : {1, 2, 3}) {
      for (const bool by_columns : {false, true}) {
        const std::size_t in = 21;
        Random random({out, static_cast<std::uint32_t>(blocks)}, "product");
        std::vector<float> w(out * in);
        for (float& value : w) value = static_cast<float>(random.normal());
        const LaneMatrix matrix{
            .values = w.data(), .out = out, .in = in, .out_stride = by_columns ? 1 : in, .in_stride = by_columns ? out : 1};
        std::vector<Lanes> x(blocks * in);
        for (Lanes& lanes : x) {
          for (std::size_t n = 0; n < kLanes; ++n) lanes[n] = static_cast<float>(random.normal());
        }
        std::vector<Lanes> y(blocks * out);
        lane_product(matrix, x.data(), blocks, y.data());
        std::vector<Lanes> sum = y;
        add_lane_product(matrix, -0.5F, x.data(), blocks, sum.data());
        for (std::size_t b = 0; b < blocks; ++b) {
          for (std::size_t o = 0; o < out; ++o) {
            for (std::size_t n = 0; n < kLanes; ++n) {
              double expected = 0;
              for (std::size_t i = 0; i < in; ++i) expected += w[o * matrix.out_stride + i * matrix.in_stride] * x[b * in + i][n];
              ASSERT_NEAR(y[b * out + o][n], expected, 1e-5);
              ASSERT_NEAR(sum[b * out + o][n], expected / 2, 1e-5);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace paretofl
