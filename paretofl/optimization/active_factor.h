#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace paretofl {

/// Cholesky factor L of the rows and columns of a symmetric positive definite matrix that an active-set
/// method holds active, in the order they came: grows and shrinks by one index in O(k^2). Removal only
/// rotates, so errors stay of the size of rounding. `capacity` is the largest k.
class ActiveFactor {
 public:
  explicit ActiveFactor(std::size_t capacity) : capacity_(capacity), rows_(capacity * capacity), inverse_diagonal_(capacity) {}

  std::size_t size() const { return size_; }  ///< k

  /// Begins a new row from its entries [k] against the active indices and its diagonal entry; returns the
  /// pivot: what remains of the diagonal once the active indices are projected out.
  double propose(std::span<const double> entries, double diagonal);
  /// Adds the row just proposed with that pivot, > 0; a larger one than proposed enlarges the diagonal.
  void append(double pivot);
  /// Into `result` [k]: the combination of the active rows nearest to the row just proposed.
  void project(std::span<double> result) const;
  /// Drops the index at that position; later ones move up.
  void remove(std::size_t position);
  /// Replaces `values` [k] by A^-1 values.
  void solve(std::span<double> values) const;

 private:
  double* row(std::size_t i) { return rows_.data() + i * capacity_; }
  const double* row(std::size_t i) const { return rows_.data() + i * capacity_; }
  void solve_transposed(std::span<double> values) const;

  std::size_t capacity_;
  std::size_t size_ = 0;
  std::vector<double> rows_;  ///< [capacity, capacity], lower triangle; row k is the one proposed
  std::vector<double> inverse_diagonal_;
};

}  // namespace paretofl
