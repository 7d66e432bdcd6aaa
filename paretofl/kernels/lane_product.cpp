#include "paretofl/kernels/lane_product.h"

#include <algorithm>
#include <array>
#include <utility>

namespace paretofl {
namespace {

constexpr std::size_t kLine = 16;  // numbers of a cache line
constexpr std::size_t kGroup = 4;  // rows that share one pointer: an address may add one, two or four strides

// Groups groups of rows of W with Blocks blocks: as many sums in registers as hide the latency of an addition. The loops
// over groups and blocks are unrolled by hand, so that the sums are registers whatever the compiler thinks.
template <std::size_t Groups, std::size_t Blocks>
struct Tile {
  static constexpr std::size_t kRows = Groups * kGroup;

  template <class Store>
  static void run(const LaneMatrix& w, std::size_t row, const Lanes* x, std::size_t block, const Store& store) {
    const std::size_t stride = w.out_stride;
    const std::size_t stride3 = 3 * stride;
    std::array<const float*, Groups> at;
    for (std::size_t g = 0; g < Groups; ++g) at[g] = w.values + (row + g * kGroup) * stride;
    const Lanes* inputs = x + block * w.in;
    std::array<std::array<Lanes, kGroup>, Groups * Blocks> sums{};
    const auto group = [&]<std::size_t G, std::size_t B>(Lanes input) __attribute__((always_inline)) {
      const float* values = at[G];
      std::array<Lanes, kGroup>& sum = sums[G * Blocks + B];
      sum[0] += values[0] * input;
      sum[1] += values[stride] * input;
      sum[2] += values[2 * stride] * input;
      sum[3] += values[stride3] * input;
    };
    const auto column = [&]<std::size_t... P>(std::size_t i, std::index_sequence<P...>) __attribute__((always_inline)) {
      (group.template operator()<P / Blocks, P % Blocks>(inputs[P % Blocks * w.in + i]), ...);
    };
    for (std::size_t i = 0; i < w.in; ++i) {
      // Rows are too short for the processor to see a stream in each: ask for the next tile's.
      if (i % kLine == 0) {
        for (std::size_t r = 0; r < kRows; ++r) __builtin_prefetch(at[0] + (kRows + r) * stride);
      }
      column(i, std::make_index_sequence<Groups * Blocks>());
      for (std::size_t g = 0; g < Groups; ++g) at[g] += w.in_stride;
    }
    for (std::size_t g = 0; g < Groups; ++g) {
      for (std::size_t b = 0; b < Blocks; ++b) {
        for (std::size_t r = 0; r < kGroup; ++r) store(block + b, row + g * kGroup + r, sums[g * Blocks + b][r]);
      }
    }
  }
};

template <class Store>
void one_row(const LaneMatrix& w, std::size_t row, const Lanes* x, std::size_t blocks, const Store& store) {
  for (std::size_t block = 0; block < blocks; ++block) {
    Lanes sum{};
    for (std::size_t i = 0; i < w.in; ++i) sum += w.values[row * w.out_stride + i * w.in_stride] * x[block * w.in + i];
    store(block, row, sum);
  }
}

template <std::size_t Groups, class Store>
void rows_of(const LaneMatrix& w, std::size_t row, const Lanes* x, std::size_t blocks, const Store& store) {
  std::size_t block = 0;
  if constexpr (kLanes >= 16 || Groups == 1) {  // enough registers for two blocks at a time
    for (; block + 2 <= blocks; block += 2) Tile<Groups, 2>::run(w, row, x, block, store);
  }
  for (; block < blocks; ++block) Tile<Groups, 1>::run(w, row, x, block, store);
}

// For a matrix that lies column by column: some columns at a time, along their numbers, into sums that stay in the cache.
template <class Store>
void by_columns(const LaneMatrix& w, const Lanes* x, std::size_t blocks, const Store& store) {
  constexpr std::size_t kColumns = 8;
  constexpr std::size_t kRows = 256;
  std::array<Lanes, kRows> sums;
  for (std::size_t begin = 0; begin < w.out; begin += kRows) {
    const std::size_t rows = std::min(kRows, w.out - begin);
    for (std::size_t block = 0; block < blocks; ++block) {
      const Lanes* inputs = x + block * w.in;
      sums.fill(Lanes{});
      std::size_t i = 0;
      for (; i + kColumns <= w.in; i += kColumns) {
        const float* columns = w.values + i * w.in_stride + begin;
        for (std::size_t r = 0; r < rows; ++r) {
          if (r % kLine == 0) {
            for (std::size_t c = 0; c < kColumns; ++c) __builtin_prefetch(columns + (kColumns + c) * w.in_stride + r);
          }
          Lanes sum = sums[r];
          for (std::size_t c = 0; c < kColumns; ++c) sum += columns[c * w.in_stride + r] * inputs[i + c];
          sums[r] = sum;
        }
      }
      for (; i < w.in; ++i) {
        for (std::size_t r = 0; r < rows; ++r) sums[r] += w.values[i * w.in_stride + begin + r] * inputs[i];
      }
      for (std::size_t r = 0; r < rows; ++r) store(block, begin + r, sums[r]);
    }
  }
}

template <class Store>
void product(const LaneMatrix& w, const Lanes* x, std::size_t blocks, const Store& store) {
  if (w.out_stride == 1 && w.in_stride != 1) return by_columns(w, x, blocks, store);
  constexpr std::size_t kGroups = 3;
  std::size_t row = 0;
  for (; row + kGroups * kGroup <= w.out; row += kGroups * kGroup) rows_of<kGroups>(w, row, x, blocks, store);
  for (; row + kGroup <= w.out; row += kGroup) rows_of<1>(w, row, x, blocks, store);
  for (; row < w.out; ++row) one_row(w, row, x, blocks, store);
}

}  // namespace

void lane_product(const LaneMatrix& w, const Lanes* x, std::size_t blocks, Lanes* y) {
  product(w, x, blocks, [&](std::size_t block, std::size_t row, Lanes sum) { y[block * w.out + row] = sum; });
}

void add_lane_product(const LaneMatrix& w, float factor, const Lanes* x, std::size_t blocks, Lanes* y) {
  product(w, x, blocks, [&](std::size_t block, std::size_t row, Lanes sum) { y[block * w.out + row] += factor * sum; });
}

}  // namespace paretofl
