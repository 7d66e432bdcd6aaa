#include "paretofl/optimization/gramian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "paretofl/core/error.h"
#include "paretofl/optimization/double_register.h"

namespace paretofl {
namespace {

constexpr double kTolerance = 1e-9;
constexpr std::size_t kSumLanes = 8;
constexpr std::size_t kSumBlock = 2048;  // columns whose products are summed lane by lane first
constexpr std::size_t kPart = 128;       // columns of a block whose rows, in double precision, stay in the first-level cache
constexpr std::size_t kRows = 2;         // a tile's products stay in vector registers and share their loads
constexpr std::size_t kColumns = 6;

using Lanes = double __attribute__((vector_size(kSumLanes * sizeof(double))));
using Tile = std::array<std::array<Lanes, kColumns>, kRows>;

double sum(const Lanes& lanes) { return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])); }

// A part of a row is too short for the processor to see that the next one follows.
void prefetch(const float* numbers, std::size_t count) {
  constexpr std::size_t kLine = 64 / sizeof(float);
  for (std::size_t k = 0; k < count; k += kLine) __builtin_prefetch(numbers + k, 0, 2);
}

// Adds the inner products of two rows with Used rows of a part over `count` columns, a multiple of kSumLanes. A product of two floats
// is exact in double precision, so fused and separate operations give the same bits.
template <std::size_t Used>
void multiply(const double* left, const double* right, std::size_t count, Tile& tile) {
  for (std::size_t first = 0; first < kSumLanes; first += kRegister) {
    DoubleRegister sums[kRows][Used];
#pragma GCC unroll 2
    for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 6
      for (std::size_t c = 0; c < Used; ++c) sums[r][c] = load_register(reinterpret_cast<double*>(&tile[r][c]) + first);
    }
    for (std::size_t k = first; k < count; k += kSumLanes) {
      const DoubleRegister row0 = load_once(left + k);
      const DoubleRegister row1 = load_once(left + kPart + k);
#pragma GCC unroll 6
      for (std::size_t c = 0; c < Used; ++c) {
        const DoubleRegister column = load_once(right + c * kPart + k);
        sums[0][c] += row0 * column;
        sums[1][c] += row1 * column;
      }
    }
#pragma GCC unroll 2
    for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 6
      for (std::size_t c = 0; c < Used; ++c)
        std::memcpy(reinterpret_cast<double*>(&tile[r][c]) + first, &sums[r][c], sizeof(DoubleRegister));
    }
  }
}

// `used`: how many of a tile's columns belong to the lower triangle, an even number.
void multiply_tile(const double* left, const double* right, std::size_t used, std::size_t count, Tile& tile) {
  switch (used) {
    case 2:
      return multiply<2>(left, right, count, tile);
    case 4:
      return multiply<4>(left, right, count, tile);
    default:
      return multiply<6>(left, right, count, tile);
  }
}

// Adds a tile's sums to the lower triangle.
void add(const Tile& tile, std::size_t i, std::size_t j, Gramian& gramian) {
  for (std::size_t r = 0; r < kRows && i + r < gramian.objectives(); ++r) {
    for (std::size_t c = 0; c < kColumns && j + c <= i + r; ++c) gramian(i + r, j + c) += sum(tile[r][c]);
  }
}

}  // namespace

Gramian::Gramian(std::size_t objectives, std::vector<double> values) : objectives_(objectives), values_(std::move(values)) {
  expect(values_.size() == objectives * objectives, "gramian: expected {} x {} entries, found {}", objectives, objectives, values_.size());
  check();
  for (std::size_t i = 0; i < objectives; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double mean = 0.5 * (*this)(i, j) + 0.5 * (*this)(j, i);
      (*this)(i, j) = (*this)(j, i) = mean;
    }
  }
}

double Gramian::trace() const {
  double result = 0;
  for (std::size_t i = 0; i < objectives_; ++i) result += (*this)(i, i);
  return result;
}

void Gramian::check() const {
  expect(objectives_ > 0, "gramian: expected at least one objective, found none");
  double largest = 0;
  for (std::size_t i = 0; i < objectives_; ++i) {
    for (std::size_t j = 0; j < objectives_; ++j) {
      const double value = (*this)(i, j);
      expect(std::isfinite(value), "gramian: expected finite entries, found {} at ({}, {})", value, i, j);
      largest = std::max(largest, std::abs(value));
    }
  }
  for (std::size_t i = 0; i < objectives_; ++i) {
    const double norm = std::sqrt(std::max((*this)(i, i), 0.0));
    expect((*this)(i, i) >= -kTolerance * largest, "gramian: expected a non-negative diagonal, found {} at ({}, {})", (*this)(i, i), i, i);
    for (std::size_t j = 0; j < i; ++j) {
      const double lower = (*this)(i, j);
      const double upper = (*this)(j, i);
      if (lower == upper) continue;
      const double scale = std::max({std::abs(lower), std::abs(upper), norm * std::sqrt(std::max((*this)(j, j), 0.0))});
      expect(std::abs(0.5 * lower - 0.5 * upper) <= 0.5 * kTolerance * scale,
             "gramian: expected a symmetric matrix, found {} at ({}, {}) and {} at ({}, {})", lower, i, j, upper, j, i);
    }
  }
}

Gramian gramian_of_rows(std::span<const float> jacobian, std::size_t objectives) {
  expect(objectives > 0 && jacobian.size() % objectives == 0, "gramian: expected a jacobian of {} equal rows, found {} entries", objectives,
         jacobian.size());
  const std::size_t columns = jacobian.size() / objectives;
  Gramian gramian(objectives);
  // Rows beyond M and columns beyond the last stay 0 and add nothing.
  std::vector<double> part((objectives + kColumns) * kPart);
  std::size_t count_of_tiles = 0;
  for (std::size_t i = 0; i < objectives; i += kRows) count_of_tiles += (i + kRows + kColumns - 1) / kColumns;
  std::vector<Tile> tiles(count_of_tiles);  // of the lower triangle, row by row
  for (std::size_t start = 0; start < columns; start += kSumBlock) {
    const std::size_t end = std::min(start + kSumBlock, columns);
    std::fill(tiles.begin(), tiles.end(), Tile{});
    for (std::size_t from = start; from < end; from += kPart) {
      const std::size_t count = std::min(kPart, end - from);
      const std::size_t padded = (count + kSumLanes - 1) / kSumLanes * kSumLanes;
      for (std::size_t i = 0; i < objectives; ++i) {
        double* copy = &part[i * kPart];
        const float* row = jacobian.data() + i * columns + from;
        prefetch(row + count, std::min(kPart, columns - from - count));
        std::copy_n(row, count, copy);
        std::fill(copy + count, copy + padded, 0.0);
      }
      std::size_t next = 0;
      for (std::size_t i = 0; i < objectives; i += kRows) {
        for (std::size_t j = 0; j < i + kRows; j += kColumns)
          multiply_tile(&part[i * kPart], &part[j * kPart], std::min(kColumns, i + kRows - j), padded, tiles[next++]);
      }
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < objectives; i += kRows) {
      for (std::size_t j = 0; j < i + kRows; j += kColumns) add(tiles[next++], i, j, gramian);
    }
  }
  for (std::size_t i = 0; i < objectives; ++i) {
    for (std::size_t j = 0; j < i; ++j) gramian(j, i) = gramian(i, j);
  }
  return gramian;
}

}  // namespace paretofl
