#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace paretofl {

/// A Gramian G = J J^T of M objectives' gradients: symmetric M x M, row-major doubles.
class Gramian {
 public:
  explicit Gramian(std::size_t objectives) : objectives_(objectives), values_(objectives * objectives) {}
  /// Takes row-major values; throws Error unless they are M x M, finite and symmetric to 1e-9 of the
  /// largest entry (then symmetrized), with no diagonal entry below -1e-9 of it.
  Gramian(std::size_t objectives, std::vector<double> values);

  std::size_t objectives() const { return objectives_; }  ///< M
  double& operator()(std::size_t i, std::size_t j) { return values_[i * objectives_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * objectives_ + j]; }
  std::span<const double> values() const { return values_; }
  double trace() const;

 private:
  std::size_t objectives_;
  std::vector<double> values_;
};

/// The Gramian of the rows of a jacobian [M, d] over the columns of `jacobian` given; products and
/// sums in double precision.
Gramian gramian_of_rows(std::span<const float> jacobian, std::size_t objectives);

}  // namespace paretofl
