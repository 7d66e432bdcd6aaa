#pragma once

#include <span>
#include <vector>

#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// The direction sum_i b_i u_i along the unit gradients that shares the gains out as asked.
struct ProportionalGains {
  std::vector<double> along_units;  ///< b > 0 [M]
  double residual = 0;              ///< largest |(R b)_i - c_i b_i^(-gamma)| / sum(b), at most 1
  int iterations = 0;
};

/// Solves R b = c b^(-gamma) (entrywise) for b > 0, with c > 0 [M] and gamma > 0: the only stationary point of
/// the convex b^T R b / 2 - sum_i c_i psi(b_i), psi'(x) = x^(-gamma). Newton's method in relative steps, with
/// exact minimization over one entry after another in between while far away. R, the gradients' cosines, is
/// positive semidefinite with a unit diagonal; 1e-12 is added to it, so that at Pareto-stationary points, where
/// b would be infinite, it is merely large and sum_i b_i u_i next to nothing. Entries of b below 1e-20 of the
/// largest need not have arrived. With gamma = 1 the residual stays below 1e-9 for any M <= 64 gradients; with
/// others, c over many decades and dependent gradients the 200 steps may not suffice, and the residual tells.
ProportionalGains proportional_gains(const Gramian& cosines, std::span<const double> c, double gamma);

}  // namespace paretofl
