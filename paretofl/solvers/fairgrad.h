#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// FairGrad (Ban and Ji 2024, "Fair Resource Allocation in Multi-Task Learning", equations 3 and 5): the
/// direction in a ball that maximizes the alpha-fair utility of the gains, sum_k <g_k, d>^(1 - alpha) /
/// (1 - alpha), is d = sum_k w_k g_k with G w = w^(-1 / alpha), w > 0. alpha -> 0 is the mean, 1 Nash-MTL,
/// 2 minimum potential delay, infinity max-min fairness. A preference p (scaled to sum to 1) weighs the
/// utilities (Mo and Walrand 2000): G w = (p / w)^(1 / alpha).
///
/// lambda is w scaled to sum to 1: free of the scale of all gradients together, and for alpha = 1 of each. A
/// zero gradient has weight 0. At Pareto-stationary points, where no w exists, lambda combines the gradients
/// to next to nothing. The KKT residual is that of the equation. Solved by Newton's method in the unit
/// gradients, where it reads R b = p^(1 / alpha) n^(1 / alpha - 1) b^(-1 / alpha) with b = n w
/// (proportional_gains.h, which says where that ends early).
class FairGrad : public WeightSolver {
 public:
  struct Options {
    double alpha = 2;

    void describe(OptionVisitor& visit);
  };

  explicit FairGrad(Options options) : options_(options) {}
  WeightSolution solve(const WeightProblem& problem) const override;

 private:
  Options options_;
};

}  // namespace paretofl
