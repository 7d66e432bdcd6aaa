#include "paretofl/kernels/panel_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "paretofl/core/random.h"
#include "tests/models/draws.h"

namespace paretofl {
namespace {

struct Extents {
  std::size_t rows;
  std::size_t terms;
  std::size_t columns;
};

// Blocks of every shape, alone and beside others, and what columns leave of a register.
TEST(PanelProduct, IsTheProductOfEitherReading) {
  for (const auto [rows, terms, columns] :
       {Extents{1, 1, 1}, Extents{3, 5, kLanes}, Extents{12, 4, 2 * kLanes + 3}, Extents{25, 7, 4 * kLanes}, Extents{13, 9, 7 * kLanes - 1},
        Extents{31, 2, kLanes + 1}, Extents{6, 40, 9 * kLanes + 5}, Extents{2, 0, 3}}) {
    const std::vector<float> left = draws(rows * terms, "left");
    const std::size_t right_stride = whole_lanes(columns) / kLanes;
    std::vector<Lanes> right(terms * right_stride);
    const std::vector<float> entries = draws(terms * columns, "right");
    for (std::size_t k = 0; k < terms; ++k) {
      for (std::size_t j = 0; j < columns; ++j) right[k * right_stride + j / kLanes][j % kLanes] = entries[k * columns + j];
    }
    const std::size_t product_stride = columns + 2;
    for (const bool transposed : {false, true}) {
      std::vector<float> product(rows * product_stride, -7);
      multiply_panels(transposed ? StridedMatrix{left.data(), 1, rows} : StridedMatrix{left.data(), terms, 1}, rows, terms, right.data(),
                      right_stride, columns, product.data(), product_stride);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          double sum = 0;
          for (std::size_t k = 0; k < terms; ++k) {
            sum += static_cast<double>(left[transposed ? k * rows + i : i * terms + k]) * entries[k * columns + j];
          }
          EXPECT_NEAR(product[i * product_stride + j], sum, 1e-5) << rows << " x " << terms << " x " << columns << " at " << i << ", " << j;
        }
        // Nothing is written between the rows.
        EXPECT_EQ(product[i * product_stride + columns], -7);
        EXPECT_EQ(product[i * product_stride + columns + 1], -7);
      }
    }
  }
}

// A column's sum does not depend on how wide a block it is in, so that a batch's size changes no sample's bits.
TEST(PanelProduct, GivesAColumnTheSameBitsInEveryBlock) {
  constexpr std::size_t kTerms = 50;
  constexpr std::size_t kRegisters = 7;
  const std::vector<float> left = draws(11 * kTerms, "left");
  const std::vector<float> column = draws(kTerms, "column");
  std::vector<Lanes> right(kTerms * kRegisters);
  for (std::size_t k = 0; k < kTerms; ++k)
    std::fill_n(right.begin() + static_cast<std::ptrdiff_t>(k * kRegisters), kRegisters, Lanes{} + column[k]);
  std::vector<float> product(11 * kRegisters * kLanes);
  multiply_panels({left.data(), kTerms, 1}, 11, kTerms, right.data(), kRegisters, kRegisters * kLanes, product.data(), kRegisters * kLanes);
  for (std::size_t i = 0; i < 11; ++i) {
    float sum = 0;
    multiply_panels({left.data() + i * kTerms, kTerms, 1}, 1, kTerms, right.data(), kRegisters, 1, &sum, 1);
    for (std::size_t j = 0; j < kRegisters * kLanes; ++j) EXPECT_EQ(product[i * kRegisters * kLanes + j], sum) << i << ", " << j;
  }
}

// Small ones, which are read where they lie; then ones whose panels, or whose left matrix too, are copied; with rows, terms and columns
// left over.
const Extents kExtents[] = {{1, 1, 1},      {6, 7, 16},     {13, 5, 33},     {47, 300, 40}, {48, 128, 40}, {50, 127, 100},
                            {48, 256, 256}, {101, 257, 70}, {300, 400, 100}, {64, 513, 19}, {96, 300, 17}};

class PanelProductOf : public testing::TestWithParam<Extents> {
 protected:
  PanelProductOf() : left_(rows_ * terms_), transposed_(rows_ * terms_), right_(terms_ * stride_) {
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

TEST_P(PanelProductOf, HasTheSumsOfProductsAndWritesNothingElse) {
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

TEST_P(PanelProductOf, HasTheSameBitsHoweverTheLeftMatrixLies) {
  EXPECT_EQ(multiply({left_.data(), terms_, 1}, rows_), multiply({transposed_.data(), 1, rows_}, rows_));
}

// The first row alone is a small product, which nothing is copied for.
TEST_P(PanelProductOf, HasTheSameBitsForARowAlone) {
  const std::vector<float> all = multiply({left_.data(), terms_, 1}, rows_);
  const std::vector<float> one = multiply({left_.data(), terms_, 1}, 1);
  EXPECT_TRUE(std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(columns_), all.begin()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, PanelProductOf, testing::ValuesIn(kExtents), [](const auto& info) {
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
