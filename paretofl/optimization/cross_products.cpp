#include "paretofl/optimization/cross_products.h"

#include <algorithm>
#include <cstring>

#include "paretofl/core/error.h"
#include "paretofl/optimization/double_register.h"

namespace paretofl {
namespace {

constexpr std::size_t kSideBySide = 8;     // rows of b
constexpr std::size_t kColumnBlock = 256;  // columns at a time: their part of b stays in a cache
constexpr std::size_t kTile = 4;           // rows of a whose sums stay in vector registers and share the loads of b

using Lanes = double __attribute__((vector_size(kSideBySide * sizeof(double))));

// Adds kTile rows of a, kColumnBlock doubles apart, times the first `rows` of kSideBySide rows of b, interleaved.
void multiply_tile(const double* a, const Lanes* b, std::size_t count, std::size_t rows, Lanes* tile) {
  for (std::size_t first = 0; first < rows; first += kRegister) {
    const auto lanes_of = [&](std::size_t k) { return reinterpret_cast<double*>(&tile[k]) + first; };
    DoubleRegister sums[kTile];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kTile; ++k) sums[k] = load_register(lanes_of(k));
    for (std::size_t j = 0; j < count; ++j) {
      const DoubleRegister x = load_register(reinterpret_cast<const double*>(&b[j]) + first);
#pragma GCC unroll 4
      for (std::size_t k = 0; k < kTile; ++k) sums[k] += a[k * kColumnBlock + j] * x;
    }
    for (std::size_t k = 0; k < kTile; ++k) std::memcpy(lanes_of(k), &sums[k], sizeof(DoubleRegister));
  }
}

std::size_t rounded_up(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

}  // namespace

std::vector<double> cross_products(std::span<const float> a, std::span<const float> b, std::size_t objectives) {
  expect(objectives > 0 && a.size() == b.size() && a.size() % objectives == 0,
         "cross products: expected two jacobians of {} equal rows, found {} and {} entries", objectives, a.size(), b.size());
  const std::size_t columns = a.size() / objectives;
  const std::size_t rows = rounded_up(objectives, kTile);
  const std::size_t groups = rounded_up(objectives, kSideBySide) / kSideBySide;
  // Rows beyond the last stay 0.
  std::vector<double> left(rows * kColumnBlock);             // [rows, kColumnBlock]
  std::vector<Lanes> right(groups * kColumnBlock, Lanes{});  // [groups, kColumnBlock]
  std::vector<Lanes> sums(groups * rows, Lanes{});           // [groups, rows]
  for (std::size_t start = 0; start < columns; start += kColumnBlock) {
    const std::size_t count = std::min(kColumnBlock, columns - start);
    for (std::size_t k = 0; k < objectives; ++k) {
      std::copy_n(a.data() + k * columns + start, count, &left[k * kColumnBlock]);
      const float* row = b.data() + k * columns + start;
      for (std::size_t j = 0; j < count; ++j) right[k / kSideBySide * kColumnBlock + j][k % kSideBySide] = static_cast<double>(row[j]);
    }
    for (std::size_t group = 0; group < groups; ++group) {
      for (std::size_t k = 0; k < rows; k += kTile)
        multiply_tile(&left[k * kColumnBlock], &right[group * kColumnBlock], count, std::min(kSideBySide, objectives - group * kSideBySide),
                      &sums[group * rows + k]);
    }
  }
  std::vector<double> products(objectives * objectives);
  for (std::size_t k = 0; k < objectives; ++k) {
    for (std::size_t l = 0; l < objectives; ++l) products[k * objectives + l] = sums[l / kSideBySide * rows + k][l % kSideBySide];
  }
  return products;
}

}  // namespace paretofl
