#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// IMTL-G (Liu et al. 2021, "Towards Impartial Multi-Task Learning", equations 1 to 4): the combination of
/// the gradients that has equal projections on every one of them, <d, g_k / ||g_k||> the same for all k.
/// With R the cosines and n the norms, lambda_k ~ (R^-1 1)_k / n_k, which is the paper's closed form; where R
/// is singular, which the paper leaves open, its pseudo-inverse stands in (equal_cosines.h). The scale of any
/// gradient leaves the direction as it is. A preference changes nothing.
///
/// From M = 3 on weights may be NEGATIVE: a gradient that lies between others would gain more than they. Their
/// absolute values sum to 1. The paper's weights sum to 1, so where their sum is negative it turns the
/// direction round and every objective gets worse; here the equal projections are never negative. A zero
/// gradient has weight 0. The KKT residual says how far the projections are from equal.
class ImtlG : public WeightSolver {
 public:
  struct Options {
    void describe(OptionVisitor&) {}
  };

  explicit ImtlG(const Options&) {}
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return false; }
};

}  // namespace paretofl
