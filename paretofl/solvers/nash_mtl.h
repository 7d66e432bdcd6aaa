#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// Nash-MTL (Navon et al. 2022, "Multi-Task Learning as a Bargaining Game", Claim 3.1): the direction that
/// maximizes the product of the gains, sum_k log <g_k, d> over a ball, is d = sum_k alpha_k g_k with
/// G alpha = 1 / alpha, alpha > 0. With a preference p (scaled to sum to 1) it is the asymmetric bargaining
/// solution, G alpha = p / alpha. The paper approximates alpha by a sequence of convex programs; here
/// Newton's method finds it (proportional_gains.h), which is FairGrad's for a fairness of 1.
///
/// lambda is alpha scaled to sum to 1. Every objective gains the same share, alpha_k <g_k, d> = p_k; the scale
/// of any gradient leaves the direction as it is. A zero gradient has weight 0. At Pareto-stationary points,
/// where no alpha exists, lambda combines the gradients to next to nothing. The KKT residual is that of
/// the equation.
class NashMtl : public WeightSolver {
 public:
  struct Options {
    void describe(OptionVisitor&) {}
  };

  explicit NashMtl(const Options&) {}
  WeightSolution solve(const WeightProblem& problem) const override;
};

}  // namespace paretofl
