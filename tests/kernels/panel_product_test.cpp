#include "paretofl/kernels/panel_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

struct ProductSizes {
  std::size_t rows, terms, columns;
};

// Small ones, which are read where they lie; then ones whose panels, or whose left matrix too, are copied; with rows, terms and columns
// left over.
const ProductSizes kProductSizes[] = {{1, 1, 1},      {6, 7, 16},     {13, 5, 33},     {47, 300, 40}, {48, 128, 40}, {50, 127, 100},
                                      {48, 256, 256}, {101, 257, 70}, {300, 400, 100}, {64, 513, 19}, {96, 300, 17}};

class PanelProduct : public testing::TestWithParam<ProductSizes> {
 protected:
  PanelProduct() : left_(rows_ * terms_), transposed_(rows_ * terms_), right_(terms_ * stride_) {
    Random random({.seed = 5}, "panels");
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t k = 0; k < terms_; ++k) transposed_[k * rows_ + r] = left_[r * terms_ + k] = static_cast<float>(random.normal());
    }
    for (Lanes& x : right_) {
      for (std::size_t n = 0; n < kLanes; ++n) x[n] = static_cast<float>(random.normal());
    }
  }

  std::vector<float> multiply(const StridedMatrix& left, std::size_t rows) {
    std::vector<float> product(rows * product_stride_, kUnwritten);
    multiply_panels(left, rows, terms_, right_.data(), stride_, columns_, product.data(), product_stride_);
    return product;
  }

  static constexpr float kUnwritten = 1234.5F;
  std::size_t rows_ = GetParam().rows;
  std::size_t terms_ = GetParam().terms;
  std::size_t columns_ = GetParam().columns;
  std::size_t stride_ = whole_lanes(columns_) / kLanes + 1;  // a register apart from being dense
  std::size_t product_stride_ = columns_ + 3;
  std::vector<float> left_, transposed_;
  std::vector<Lanes> right_;
};

TEST_P(PanelProduct, HasTheSumsOfProductsAndWritesNothingElse) {
  const std::vector<float> found = multiply({left_.data(), terms_, 1}, rows_);
  for (std::size_t r = 0; r < rows_; ++r) {
    for (std::size_t c = 0; c < columns_; ++c) {
      double sum = 0;
      for (std::size_t k = 0; k < terms_; ++k) {
        sum += static_cast<double>(left_[r * terms_ + k]) * static_cast<double>(right_[k * stride_ + c / kLanes][c % kLanes]);
      }
      ASSERT_NEAR(sum, found[r * product_stride_ + c], 2e-6 * std::sqrt(static_cast<double>(terms_)) * 4) << "at " << r << ", " << c;
    }
    for (std::size_t c = columns_; c < product_stride_; ++c) ASSERT_EQ(kUnwritten, found[r * product_stride_ + c]);
  }
}

TEST_P(PanelProduct, HasTheSameBitsHoweverTheLeftMatrixLies) {
  EXPECT_EQ(multiply({left_.data(), terms_, 1}, rows_), multiply({transposed_.data(), 1, rows_}, rows_));
}

// The first row alone is a small product, which nothing is copied for.
TEST_P(PanelProduct, HasTheSameBitsForARowAlone) {
  const std::vector<float> all = multiply({left_.data(), terms_, 1}, rows_);
  const std::vector<float> one = multiply({left_.data(), terms_, 1}, 1);
  EXPECT_TRUE(std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(columns_), all.begin()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, PanelProduct, testing::ValuesIn(kProductSizes), [](const auto& info) {
  return std::to_string(info.param.rows) + "x" + std::to_string(info.param.terms) + "x" + std::to_string(info.param.columns);
});

// What a register of 16 adds is what two of 8 add, one after the other.
TEST(Lanes, AreSummedEightAtATime) {
  Random random({.seed = 6}, "lanes");
  for (int turn = 0; turn < 100; ++turn) {
    Lanes x;
    for (std::size_t n = 0; n < kLanes; ++n) x[n] = static_cast<float>(random.normal());
    float expected = 0.7F;
    for (std::size_t first = 0; first < kLanes; first += kSumLanes) {
      float part = 0;
      for (std::size_t n = first; n < first + kSumLanes; ++n) part += x[n];
      expected += part;
    }
    float found = 0.7F;
    add_lanes(&found, x);
    EXPECT_EQ(expected, found);
  }
}

}  // namespace
}  // namespace paretofl
