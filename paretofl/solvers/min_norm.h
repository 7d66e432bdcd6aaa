#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// The convex combination of the gradients of least norm: argmin over the simplex of lambda^T G lambda
/// (MGDA; Desideri 2012), exact. Its negative is a descent direction common to all objectives.
class MinNorm : public WeightSolver {
 public:
  struct Options {
    void describe(OptionVisitor&) {}
  };

  explicit MinNorm(const Options&) {}
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return false; }
};

}  // namespace paretofl
