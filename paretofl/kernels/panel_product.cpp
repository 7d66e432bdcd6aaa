#include "paretofl/kernels/panel_product.h"

#include <algorithm>
#include <array>
#include <vector>

namespace paretofl {
namespace {

// Registers side by side for each of several rows: as many sums as the instruction set has room for beside their factors.
constexpr std::size_t kWidest = kLanes == 16 ? 4 : 2;
constexpr std::size_t kPanelRows = 6;
constexpr std::size_t kRowGroup = kPanelRows * kWidest;  // rows of the left matrix that are packed side by side
constexpr std::size_t kTerms = 256;                      // whose panel leaves room in a first-level cache of 32 KiB
constexpr std::size_t kManyRows = 8 * kPanelRows;        // from here on a copy of a panel costs little beside its use
constexpr std::size_t kManyTerms = 128;                  // fewer stay in such a cache wherever they lie
constexpr std::size_t kManyNumbers = 8192;               // of a matrix that fills it

// Adds to the product if Add, and replaces it otherwise.
template <std::size_t Rows, std::size_t Width, bool Add>
inline void multiply_block(const StridedMatrix& left, std::size_t terms, const Lanes* right, std::size_t right_stride, std::size_t columns,
                           float* product, std::size_t product_stride) {
  const bool whole = columns >= Width * kLanes;
  const std::size_t rest = whole ? kLanes : columns - (Width - 1) * kLanes;  // columns of the last register
  Lanes sums[Rows][Width]{};
  if constexpr (Add) {
#pragma GCC unroll 24
    for (std::size_t r = 0; r < Rows; ++r) {
      const float* row = product + r * product_stride;
#pragma GCC unroll 4
      for (std::size_t w = 0; w < Width; ++w) {
        sums[r][w] = whole || w + 1 < Width ? load_lanes(row + w * kLanes) : load_lanes(row + w * kLanes, rest);
      }
    }
  }
  for (std::size_t k = 0; k < terms; ++k) {
    const Lanes* x = right + k * right_stride;
    const float* factors = left.values + k * left.term_stride;
#pragma GCC unroll 24
    for (std::size_t r = 0; r < Rows; ++r) {
      // Loaded into every lane at once. 0 + x would first be added, since it is not x where x is -0.
      const Lanes factor = factors[r * left.row_stride] - Lanes{};
#pragma GCC unroll 4
      for (std::size_t w = 0; w < Width; ++w) sums[r][w] += factor * x[w];
    }
  }
#pragma GCC unroll 24
  for (std::size_t r = 0; r < Rows; ++r) {
    float* row = product + r * product_stride;
#pragma GCC unroll 4
    for (std::size_t w = 0; w < Width; ++w) {
      if (whole || w + 1 < Width) {
        store_lanes(row + w * kLanes, sums[r][w]);
      } else {
        store_lanes(row + w * kLanes, sums[r][w], rest);
      }
    }
  }
}

// The left matrix in groups of kRowGroup rows [terms, kRowGroup]. A column of a dense matrix has each of its numbers in another cache line,
// all of which would be read again for every panel.
class PackedRows {
 public:
  PackedRows(const StridedMatrix& left, std::size_t rows, std::size_t terms, std::vector<float>& room) : terms_(terms), room_(room) {
    room.resize((rows + kRowGroup - 1) / kRowGroup * kRowGroup * terms);
    std::size_t row = 0;
    for (; row + kRowGroup <= rows; row += kRowGroup) {
      for (std::size_t k = 0; k < terms; ++k) std::copy_n(left.values + k * left.term_stride + row, kRowGroup, at(row) + k * kRowGroup);
    }
    for (std::size_t k = 0; k < terms && row < rows; ++k) {
      std::copy_n(left.values + k * left.term_stride + row, rows - row, at(row) + k * kRowGroup);
    }
  }

  StridedMatrix operator()(std::size_t row) const { return {at(row / kRowGroup * kRowGroup) + row % kRowGroup, 1, kRowGroup}; }

 private:
  float* at(std::size_t group_row) const { return room_.data() + group_row * terms_; }

  std::size_t terms_;
  std::vector<float>& room_;
};

// The product of some terms, panel by panel. rows_from(row) is the left matrix from that row on.
template <bool Add, class RowsFrom>
class Panels {
 public:
  Panels(const RowsFrom& rows_from, std::size_t rows, std::size_t terms) : rows_from_(rows_from), rows_(rows), terms_(terms) {}

  void multiply(const Lanes* right, std::size_t right_stride, std::size_t columns, float* product, std::size_t product_stride) {
    const std::size_t registers = whole_lanes(columns) / kLanes;
    std::size_t done = 0;
    const auto all = [&]<std::size_t Width>() {
      for (; done + Width <= registers; done += Width) {
        multiply_panel<Width>(right + done, right_stride, columns - done * kLanes, product + done * kLanes, product_stride);
      }
    };
    all.template operator()<kWidest>();
    all.template operator()<2>();
    all.template operator()<1>();
  }

 private:
  // At most Width registers of columns, all rows. A panel whose rows lie apart is copied first: side by side it stays in the first-level
  // cache, where numbers a row apart compete for few places.
  template <std::size_t Width>
  void multiply_panel(const Lanes* right, std::size_t right_stride, std::size_t columns, float* product, std::size_t product_stride) {
    constexpr std::size_t kBlock = kRowGroup / Width;
    std::array<Lanes, kTerms * Width> panel;
    if (rows_ >= kManyRows && terms_ >= kManyTerms && right_stride > Width) {
      for (std::size_t k = 0; k < terms_; ++k) std::copy_n(right + k * right_stride, Width, panel.data() + k * Width);
      right = panel.data();
      right_stride = Width;
    }
    const auto block = [&]<std::size_t Rows>(std::size_t row) {
      multiply_block<Rows, Width, Add>(rows_from_(row), terms_, right, right_stride, columns, product + row * product_stride,
                                       product_stride);
    };
    std::size_t row = 0;
    for (; row + kBlock <= rows_; row += kBlock) block.template operator()<kBlock>(row);
    for (; row + 2 <= rows_; row += 2) block.template operator()<2>(row);
    if (row < rows_) block.template operator()<1>(row);
  }

  const RowsFrom& rows_from_;
  std::size_t rows_;
  std::size_t terms_;
};

}  // namespace

void multiply_panels(const StridedMatrix& left, std::size_t rows, std::size_t terms, const Lanes* right, std::size_t right_stride,
                     std::size_t columns, float* product, std::size_t product_stride) {
  thread_local std::vector<float> room;
  const bool pack = left.row_stride == 1 && rows >= kManyRows && rows * terms > kManyNumbers && columns > kWidest * kLanes;
  std::size_t first = 0;
  do {
    const std::size_t count = std::min(kTerms, terms - first);
    const StridedMatrix part{left.values + first * left.term_stride, left.row_stride, left.term_stride};
    const auto multiply = [&]<class RowsFrom>(const RowsFrom& rows_from) {
      const Lanes* from = right + first * right_stride;
      if (first == 0) {
        Panels<false, RowsFrom>(rows_from, rows, count).multiply(from, right_stride, columns, product, product_stride);
      } else {
        Panels<true, RowsFrom>(rows_from, rows, count).multiply(from, right_stride, columns, product, product_stride);
      }
    };
    if (pack) {
      multiply(PackedRows(part, rows, count, room));
    } else {
      multiply([&part](std::size_t row) { return StridedMatrix{part.values + row * part.row_stride, part.row_stride, part.term_stride}; });
    }
    first += count;
  } while (first < terms);
}

}  // namespace paretofl
