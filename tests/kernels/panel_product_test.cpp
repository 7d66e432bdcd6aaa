#include "paretofl/kernels/panel_product.h"

#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace paretofl
