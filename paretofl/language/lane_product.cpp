#include "paretofl/language/lane_product.h"

#include <algorithm>
#include <array>

namespace paretofl {
namespace {

// kRows rows of W with kBlocks blocks: as many sums in registers as hide the latency of an addition.
template <std::size_t kRows, std::size_t kBlocks, class Store>
void tile(const LaneMatrix& w, std::size_t row, const Lanes* x, std::size_t block, const Store& store) {
  Lanes sums[kRows][kBlocks] = {};  // NOLINT(modernize-avoid-c-arrays): registers
  const float* values = w.values + row * w.out_stride;
  const Lanes* inputs = x + block * w.in;
  for (std::size_t i = 0; i < w.in; ++i) {
    for (std::size_t r = 0; r < kRows; ++r) {
      const float weight = values[r * w.out_stride + i * w.in_stride];
      for (std::size_t b = 0; b < kBlocks; ++b) sums[r][b] += weight * inputs[b * w.in + i];
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t b = 0; b < kBlocks; ++b) store(block + b, row + r, sums[r][b]);
  }
}

template <std::size_t kRows, class Store>
void rows_of(const LaneMatrix& w, std::size_t row, const Lanes* x, std::size_t blocks, const Store& store) {
  std::size_t block = 0;
  for (; block + 2 <= blocks; block += 2) tile<kRows, 2>(w, row, x, block, store);
  if (block < blocks) tile<kRows, 1>(w, row, x, block, store);
}

template <class Store>
void product(const LaneMatrix& w, const Lanes* x, std::size_t blocks, const Store& store) {
  constexpr std::size_t kRows = kLanes >= 16 ? 12 : 6;  // with two blocks, of 32 or 16 registers
  std::size_t row = 0;
  for (; row + kRows <= w.out; row += kRows) rows_of<kRows>(w, row, x, blocks, store);
  for (; row + 4 <= w.out; row += 4) rows_of<4>(w, row, x, blocks, store);
  for (; row < w.out; ++row) rows_of<1>(w, row, x, blocks, store);
}

}  // namespace

void lane_product(const LaneMatrix& w, const Lanes* x, std::size_t blocks, Lanes* y) {
  product(w, x, blocks, [&](std::size_t block, std::size_t row, Lanes sum) { y[block * w.out + row] = sum; });
}

void add_lane_product(const LaneMatrix& w, float factor, const Lanes* x, std::size_t blocks, Lanes* y) {
  product(w, x, blocks, [&](std::size_t block, std::size_t row, Lanes sum) { y[block * w.out + row] += factor * sum; });
}

}  // namespace paretofl
