#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "paretofl/kernels/lane_product.h"

namespace paretofl {

/// A matrix [out, in] of 8-bit integers q in [-127, 127] with one scale per row: w = scale * q, where scale is the row's largest |w| / 127,
/// so that every number is off by at most half a scale. A row of zeros has scale 0.
class Int8Matrix {
 public:
  static constexpr std::size_t kPanelRows = 6;  ///< rows that lie side by side
  static constexpr std::size_t kTerms = 4;      ///< consecutive numbers of a row that one instruction multiplies

  Int8Matrix() = default;
  /// Throws Error on numbers that are not finite, and on rows of more than 65536 numbers, whose sums of products could exceed 32 bits.
  explicit Int8Matrix(const LaneMatrix& w);

  std::size_t out() const { return scales_.size(); }
  std::size_t in() const { return in_; }
  std::size_t quads() const { return (in_ + kTerms - 1) / kTerms; }
  /// Entry (row, column) of the matrix that is kept.
  float at(std::size_t row, std::size_t column) const;

  /// Panel p [quads, kPanelRows] of rows kPanelRows p and on, each number four 8-bit integers; zeros beyond the matrix.
  const std::int32_t* panel(std::size_t p) const { return panels_.data() + p * quads() * kPanelRows; }
  float scale(std::size_t row) const { return scales_[row]; }
  std::int32_t sum(std::size_t row) const { return sums_[row]; }  ///< of the row's integers
  std::size_t bytes() const { return sizeof(std::int32_t) * (panels_.size() + sums_.size()) + sizeof(float) * scales_.size(); }

 private:
  std::size_t in_ = 0;
  std::vector<std::int32_t> panels_;
  std::vector<float> scales_;
  std::vector<std::int32_t> sums_;
};

/// Which instructions multiply. All give the same bits, since sums of integers are exact.
enum class Int8Instructions {
  kFastest,  ///< that the processor has
  kPlain,    ///< those that the library is compiled for
};

/// y = W x as lane_product, for kLanes rows per block: x [blocks, in] and y [blocks, out] of Lanes. Every row of x is first rounded to
/// 8-bit integers in [-127, 127] with a scale of its own, its largest number / 127. Products are then summed exactly, in 32-bit integers,
/// and multiplied with both scales, so that a row's result depends neither on the others nor on the width of registers. Rows of x are
/// finite.
void int8_product(const Int8Matrix& w, const Lanes* x, std::size_t blocks, Lanes* y,
                  Int8Instructions instructions = Int8Instructions::kFastest);

}  // namespace paretofl
