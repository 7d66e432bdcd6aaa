#pragma once

#include <span>
#include <vector>

#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// A Gramian as norms and cosines, G_ij = n_i n_j R_ij: gradients of any scale count alike. `cosines` is
/// positive semidefinite to within rounding and has a unit diagonal. Where the Gramian given is not
/// positive semidefinite (an estimate), cosines beyond 1 are clipped, negative eigenvalues are set to 0
/// and the diagonal is scaled back to 1. A gradient below 1e-150 of the largest counts as zero: norm 0,
/// orthogonal to all others.
struct UnitGramian {
  std::vector<double> norms;  ///< n [M], relative to the largest
  Gramian cosines;            ///< R [M, M]

  explicit UnitGramian(const Gramian& gramian);

  /// Of the gradients divided by the largest norm.
  Gramian gramian() const;
  /// alpha of sum_i alpha_i g_i = sum_i b_i u_i, with u_i the unit gradients: b_i / n_i, or 0 for a zero
  /// gradient. `along_units` is b [M].
  std::vector<double> along_gradients(std::span<const double> along_units) const;
};

}  // namespace paretofl
