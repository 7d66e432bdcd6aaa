#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// Aligned-MTL (Senushkin et al. 2023, "Independent Component Alignment for Multi-Task Learning", Algorithm
/// 1): replaces the gradients by orthogonal ones of equal length, nearest to them, and combines those by
/// weights w, uniform or the preference: alpha = B w with B = sqrt(lambda_R) V Lambda^(-1/2) V^T over the
/// R eigenpairs of G whose eigenvalue exceeds M eps of the largest, lambda_R the smallest of them. B J has
/// condition number 1.
///
/// A long gradient that points along a shorter one may get a NEGATIVE weight. The absolute values are scaled
/// to sum to 1, so the factor sqrt(lambda_R) cancels. Where B w = 0, lambda is w: then J^T w = 0 too. Unlike
/// with the other solvers, gradients below sqrt(M eps) of the largest count as zero (weight 0), as in the
/// authors' code.
class AlignedMtl : public WeightSolver {
 public:
  struct Options {
    void describe(OptionVisitor&) {}
  };

  explicit AlignedMtl(const Options&) {}
  WeightSolution solve(const WeightProblem& problem) const override;
};

}  // namespace paretofl
