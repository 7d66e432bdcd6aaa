#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// DualProj: the gradients' mean, uniform or by preference, projected on the dual cone (dual_cone.h), the
/// nearest direction with which no objective conflicts (gradient episodic memory, Lopez-Paz and Ranzato
/// 2017, equation 11, with every objective in the role of a memory; named by Quinton and Rey 2024).
///
/// The weights are those of the projection scaled to sum to 1; they are non-negative. Where the mean
/// conflicts with no objective, lambda is p.
class DualProj : public WeightSolver {
 public:
  struct Options {
    void describe(OptionVisitor&) {}
  };

  explicit DualProj(const Options&) {}
  WeightSolution solve(const WeightProblem& problem) const override;
};

}  // namespace paretofl
