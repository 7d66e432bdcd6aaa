#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// UPGrad (Quinton and Rey 2024, "Jacobian Descent for Multi-Objective Optimization", equation 5): every
/// gradient is projected on the dual cone of all (dual_cone.h), and the mean of the projections is the
/// direction: sum_k p_k proj(g_k), with p uniform or the preference. No objective conflicts with it, and the
/// influence of a gradient grows with its norm.
///
/// The weights are those of the mean scaled to sum to 1; they are non-negative. Without conflict lambda is
/// p. The KKT residual is the largest of the projections'.
class UpGrad : public WeightSolver {
 public:
  struct Options {
    void describe(OptionVisitor&) {}
  };

  explicit UpGrad(const Options&) {}
  WeightSolution solve(const WeightProblem& problem) const override;
};

}  // namespace paretofl
