#include "paretofl/optimization/active_factor.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace paretofl {
namespace {

// Four partial sums: shorter chains than one, and the same order everywhere.
double dot(const double* a, const double* b, std::size_t count) {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  }
  for (std::size_t lane = 0; k < count; ++k, ++lane) sums[lane] += a[k] * b[k];
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace

double ActiveFactor::propose(std::span<const double> entries, double diagonal) {
  assert(size_ < capacity_ && entries.size() == size_);
  double* fresh = row(size_);
  for (std::size_t i = 0; i < size_; ++i) fresh[i] = (entries[i] - dot(row(i), fresh, i)) * inverse_diagonal_[i];
  return diagonal - dot(fresh, fresh, size_);
}

void ActiveFactor::append(double pivot) {
  assert(pivot > 0);
  row(size_)[size_] = std::sqrt(pivot);
  inverse_diagonal_[size_] = 1 / row(size_)[size_];
  ++size_;
}

void ActiveFactor::project(std::span<double> result) const {
  std::copy_n(row(size_), size_, result.begin());
  solve_transposed(result);
}

void ActiveFactor::remove(std::size_t position) {
  assert(position < size_);
  for (std::size_t i = position + 1; i < size_; ++i) std::copy_n(row(i), i + 1, row(i - 1));
  --size_;
  // Row i now reaches one past the diagonal: rotate columns i and i + 1 until it doesn't.
  for (std::size_t i = position; i < size_; ++i) {
    const double length = std::hypot(row(i)[i], row(i)[i + 1]);
    const double cosine = row(i)[i] / length;
    const double sine = row(i)[i + 1] / length;
    row(i)[i] = length;
    inverse_diagonal_[i] = 1 / length;
    for (std::size_t j = i + 1; j < size_; ++j) {
      double* rotated = row(j);
      const double first = cosine * rotated[i] + sine * rotated[i + 1];
      rotated[i + 1] = cosine * rotated[i + 1] - sine * rotated[i];
      rotated[i] = first;
    }
  }
}

void ActiveFactor::solve(std::span<double> values) const {
  for (std::size_t i = 0; i < size_; ++i) values[i] = (values[i] - dot(row(i), values.data(), i)) * inverse_diagonal_[i];
  solve_transposed(values);
}

void ActiveFactor::solve_transposed(std::span<double> values) const {
  for (std::size_t i = size_; i-- > 0;) {
    const double* line = row(i);
    const double value = values[i] * inverse_diagonal_[i];
    values[i] = value;
    for (std::size_t j = 0; j < i; ++j) values[j] -= line[j] * value;
  }
}

}  // namespace paretofl
