#pragma once

#include <cstddef>

#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// A matrix whose entry (row, term) is values[row * row_stride + term * term_stride]: either way of reading a dense one.
struct StridedMatrix {
  const float* values;
  std::size_t row_stride;
  std::size_t term_stride;
};

/// product [rows, columns] = left [rows, terms] * right [terms, columns], for products that fit the cache, where packing the
/// factors first, as a general library does, costs a part of the time. Rows of `right` lie `right_stride` Lanes apart and
/// are readable in whole registers; those of `product` lie `product_stride` floats apart and are written up to `columns`.
/// Sums run in the order of the terms, so that no address decides the bits.
void multiply_panels(const StridedMatrix& left, std::size_t rows, std::size_t terms, const Lanes* right, std::size_t right_stride,
                     std::size_t columns, float* product, std::size_t product_stride);

}  // namespace paretofl
