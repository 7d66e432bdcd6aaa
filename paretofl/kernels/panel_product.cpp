#include "paretofl/kernels/panel_product.h"

namespace paretofl {
namespace {

// Registers side by side for each of several rows: as many sums as the instruction set has room for beside their factors.
constexpr std::size_t kWidest = kLanes == 16 ? 4 : 2;
constexpr std::size_t kPanelRows = 6;

template <std::size_t Rows, std::size_t Width>
inline void multiply_block(const StridedMatrix& left, std::size_t terms, const Lanes* right, std::size_t right_stride, std::size_t columns,
                           float* product, std::size_t product_stride) {
  Lanes sums[Rows][Width]{};
  for (std::size_t k = 0; k < terms; ++k) {
    const Lanes* x = right + k * right_stride;
    const float* factors = left.values + k * left.term_stride;
#pragma GCC unroll 24
    for (std::size_t r = 0; r < Rows; ++r) {
      const Lanes factor = Lanes{} + factors[r * left.row_stride];
#pragma GCC unroll 4
      for (std::size_t w = 0; w < Width; ++w) sums[r][w] += factor * x[w];
    }
  }
  const bool whole = columns >= Width * kLanes;
#pragma GCC unroll 24
  for (std::size_t r = 0; r < Rows; ++r) {
    float* row = product + r * product_stride;
#pragma GCC unroll 4
    for (std::size_t w = 0; w < Width; ++w) {
      if (whole || w + 1 < Width) {
        store_lanes(row + w * kLanes, sums[r][w]);
      } else {
        store_lanes(row + w * kLanes, sums[r][w], columns - w * kLanes);
      }
    }
  }
}

// At most Width registers of columns, all rows.
template <std::size_t Width>
void multiply_panel(const StridedMatrix& left, std::size_t rows, std::size_t terms, const Lanes* right, std::size_t right_stride,
                    std::size_t columns, float* product, std::size_t product_stride) {
  constexpr std::size_t kBlock = kPanelRows * kWidest / Width;
  const auto block = [&]<std::size_t Rows>(std::size_t row) {
    multiply_block<Rows, Width>({left.values + row * left.row_stride, left.row_stride, left.term_stride}, terms, right, right_stride,
                                columns, product + row * product_stride, product_stride);
  };
  std::size_t row = 0;
  for (; row + kBlock <= rows; row += kBlock) block.template operator()<kBlock>(row);
  for (; row + 2 <= rows; row += 2) block.template operator()<2>(row);
  if (row < rows) block.template operator()<1>(row);
}

}  // namespace

void multiply_panels(const StridedMatrix& left, std::size_t rows, std::size_t terms, const Lanes* right, std::size_t right_stride,
                     std::size_t columns, float* product, std::size_t product_stride) {
  const std::size_t registers = whole_lanes(columns) / kLanes;
  std::size_t done = 0;
  const auto panels = [&]<std::size_t Width>() {
    for (; done + Width <= registers; done += Width) {
      multiply_panel<Width>(left, rows, terms, right + done, right_stride, columns - done * kLanes, product + done * kLanes,
                            product_stride);
    }
  };
  panels.template operator()<kWidest>();
  panels.template operator()<2>();
  panels.template operator()<1>();
}

}  // namespace paretofl
