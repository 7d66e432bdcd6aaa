#pragma once

#include <cstddef>

#include "paretofl/kernels/lanes.h"

namespace paretofl {

/// A matrix [out, in] in memory, stored row by row or column by column.
struct LaneMatrix {
  const float* values = nullptr;
  std::size_t out = 0;
  std::size_t in = 0;
  std::size_t out_stride = 0;  ///< from an element to the one below it
  std::size_t in_stride = 0;   ///< to the one to its right
};

/// y = W x, or y += factor W x, for kLanes rows per block: x [blocks, in] and y [blocks, out] of Lanes. W is read once per
/// few blocks (where it lies column by column, once per block) and needs no packing, which pays for a few rows and a large W. Sums run in
/// the order of `in`, so that a row's result doesn't depend on the others.
void lane_product(const LaneMatrix& w, const Lanes* x, std::size_t blocks, Lanes* y);
void add_lane_product(const LaneMatrix& w, float factor, const Lanes* x, std::size_t blocks, Lanes* y);

}  // namespace paretofl
