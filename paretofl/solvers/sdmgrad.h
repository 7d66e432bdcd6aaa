#pragma once

#include <cstdint>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// SDMGrad (Xiao, Ban and Ji 2023, "Direction-Oriented Multi-Objective Learning: Simple and Provable Stochastic
/// Algorithms", equations 6 and 7, Algorithm 1): the minimum-norm combination drawn towards a target direction
/// g_0, here the mean gradient, uniform or by preference p:
///   w* = argmin over the simplex of 1/2 ||g_w + rho g_0||^2,  d = (g_w* + rho g_0) / (1 + rho),
/// so lambda = (w + rho p) / (1 + rho), on the simplex. rho = 0 is min-norm, a large rho p.
///
/// The paper takes S stochastic steps w <- proj_simplex(w - beta grad) from the w of the step before, with
/// gradients of fresh minibatches. Here the S steps are taken on the Gramian given, without noise, from the w
/// that `previous` stands for (or from p where there is none), with the step size in units of 1 / tr(H), H the
/// Gramian of the gradients g_k + rho g_0: a step of 1 always descends. The KKT residual tells how far w is
/// from w*.
class SdmGrad : public WeightSolver {
 public:
  struct Options {
    double rho = 0.3;
    double step_size = 1;
    std::int64_t steps = 20;

    void describe(OptionVisitor& visit);
  };

  explicit SdmGrad(Options options) : options_(options) {}
  /// Throws Error if `previous` has a negative weight.
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_previous() const override { return true; }

 private:
  Options options_;
};

}  // namespace paretofl
