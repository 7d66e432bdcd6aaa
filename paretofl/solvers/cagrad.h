#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// CAGrad (Liu et al. 2021, "Conflict-Averse Gradient Descent for Multi-Task Learning", Algorithm 1): the
/// direction d within c ||g_0|| of the mean gradient g_0 that maximizes the worst gain min_k <g_k, d>. With
/// g_w = sum_k w_k g_k, its dual is (equation 4)
///   w* = argmin over the simplex of <g_w, g_0> + c ||g_0|| ||g_w||,  d = g_0 + c ||g_0|| g_w* / ||g_w*||.
/// The mean is uniform or by preference p. The weights are those of d scaled to sum to 1:
/// lambda ~ p + w* / t with t = ||g_w*|| / (c ||g_0||). They are non-negative.
///
/// Since sqrt(x) = min over s > 0 of (x / s + s) / 2, w* is for the right t the minimum-norm combination of the
/// gradients g_k + t g_0. That is solved exactly for each t, and t by regula falsi on log t, down to where
/// ||g_w|| is lost in rounding. As t -> 0, lambda -> min_norm: the answer at Pareto-stationary points for c >= 1, where the
/// paper's d is not defined. c = 0 gives p. A zero gradient gains nothing along any direction, so w leaves it out. A gradient
/// much shorter than the others gains least and has nearly all of w, and lambda nearly all of its weight on it. The KKT
/// residual is that of w* for its t, or the relative error of t if larger.
class CaGrad : public WeightSolver {
 public:
  struct Options {
    double c = 0.5;

    void describe(OptionVisitor& visit);
  };

  explicit CaGrad(Options options) : options_(options) {}
  WeightSolution solve(const WeightProblem& problem) const override;

 private:
  Options options_;
};

}  // namespace paretofl
