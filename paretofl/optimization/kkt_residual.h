#pragma once

#include <span>

#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// How far lambda is from a minimizer of lambda^T Q lambda over the simplex, free of the scale of Q and
/// of its single rows. lambda is optimal if and only if it lies on the simplex and some multiplier mu has
/// (Q lambda)_i >= mu for every i, with equality where lambda_i > 0. With s_i = sqrt(Q_ii) and
/// S = sum_j s_j lambda_j, the result is the larger of the simplex's violation
/// max(|sum lambda - 1|, -min lambda) and the smallest r >= 0 for which some mu satisfies
///   (Q lambda)_i >= mu - r s_i S for every i,  (Q lambda)_i <= mu + r s_i S where lambda_i > 0,
/// that is r = max over j and i with lambda_i > 0 of ((Q lambda)_i - (Q lambda)_j) / ((s_i + s_j) S).
/// |(Q lambda)_i| <= s_i S (Cauchy and Schwarz), so r is at most 1; rounding each Q_ij by a relative eps
/// of s_i s_j moves r by eps, so gradients 1e12 apart count alike, and r <= about M * 1e-16 is the best
/// that double precision can show. Where Q is no Gramian, s_i S gives way to sum_j |Q_ij| lambda_j if larger.
/// Returns infinity for a lambda with a NaN. Throws Error unless lambda has M entries.
double kkt_residual(const Gramian& q, std::span<const double> lambda);

}  // namespace paretofl
