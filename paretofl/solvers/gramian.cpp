#include "paretofl/solvers/gramian.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr double kTolerance = 1e-9;
constexpr std::size_t kLanes = 8;
constexpr std::size_t kBlock = 2048;  // columns: a tile's rows stay in the first-level cache
constexpr std::size_t kTile = 2;      // rows by rows whose products share their loads

using Lanes = std::array<double, kLanes>;

double sum(const Lanes& lanes) { return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])); }

// A step of its own: fused with the products, g++ 12 -O3 reads past the last row where AVX-512 is on.
Lanes load(const float* values) {
  Lanes lanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = static_cast<double>(values[lane]);
  return lanes;
}

// Inner products of `Rows` rows with `Columns` rows over `count` columns. A product of two floats is
// exact in double precision, so fused and separate operations give the same bits.
template <std::size_t Rows, std::size_t Columns>
void multiply_tile(const float* left, const float* right, std::size_t stride, std::size_t count, Gramian& gramian, std::size_t i,
                   std::size_t j) {
  std::array<std::array<Lanes, Columns>, Rows> products{};
  const std::size_t whole = count - count % kLanes;
  for (std::size_t k = 0; k < whole; k += kLanes) {
    std::array<Lanes, Rows> lefts;
    std::array<Lanes, Columns> rights;
    for (std::size_t r = 0; r < Rows; ++r) lefts[r] = load(left + r * stride + k);
    for (std::size_t c = 0; c < Columns; ++c) rights[c] = load(right + c * stride + k);
    for (std::size_t r = 0; r < Rows; ++r) {
      for (std::size_t c = 0; c < Columns; ++c) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) products[r][c][lane] += lefts[r][lane] * rights[c][lane];
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t c = 0; c < Columns; ++c) {
      for (std::size_t k = whole; k < count; ++k) {
        products[r][c][k - whole] += static_cast<double>(left[r * stride + k]) * static_cast<double>(right[c * stride + k]);
      }
      gramian(i + r, j + c) += sum(products[r][c]);
    }
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
  for (std::size_t start = 0; start < columns; start += kBlock) {
    const std::size_t count = std::min(kBlock, columns - start);
    const auto row = [&](std::size_t i) { return jacobian.data() + i * columns + start; };
    for (std::size_t i = 0; i < objectives; i += kTile) {
      for (std::size_t j = 0; j <= i; j += kTile) {
        if (i + 1 == objectives) {
          if (j == i) {
            multiply_tile<1, 1>(row(i), row(j), columns, count, gramian, i, j);
          } else {
            multiply_tile<1, kTile>(row(i), row(j), columns, count, gramian, i, j);
          }
        } else {
          multiply_tile<kTile, kTile>(row(i), row(j), columns, count, gramian, i, j);
        }
      }
    }
  }
  for (std::size_t i = 0; i < objectives; ++i) {
    for (std::size_t j = 0; j < i; ++j) gramian(j, i) = gramian(i, j);
  }
  return gramian;
}

}  // namespace paretofl
