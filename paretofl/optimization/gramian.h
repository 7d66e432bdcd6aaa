#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace paretofl {

/// A Gramian G = J J^T of M objectives' gradients: symmetric M x M, row-major doubles. An estimate,
/// such as one from a sketch, may be slightly indefinite.
class Gramian {
 public:
  explicit Gramian(std::size_t objectives) : objectives_(objectives), values_(objectives * objectives) {}
  /// Takes row-major values and symmetrizes them; throws Error like check(), or unless there are M x M.
  Gramian(std::size_t objectives, std::vector<double> values);

  std::size_t objectives() const { return objectives_; }  ///< M
  double& operator()(std::size_t i, std::size_t j) { return values_[i * objectives_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * objectives_ + j]; }
  std::span<const double> values() const { return values_; }
  double trace() const;

  /// Throws Error unless M > 0, all entries are finite, no diagonal entry lies below -1e-9 of the
  /// largest entry, and G_ij and G_ji agree to 1e-9 of max(|G_ij|, |G_ji|, sqrt(G_ii G_jj)).
  void check() const;

 private:
  std::size_t objectives_;
  std::vector<double> values_;
};

/// The Gramian of the rows of a jacobian [M, d], row-major; products and sums in double precision, in
/// an order that depends on d alone, so the bits are the same on every machine.
Gramian gramian_of_rows(std::span<const float> jacobian, std::size_t objectives);

}  // namespace paretofl
