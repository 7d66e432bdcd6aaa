#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// PCGrad (Yu et al. 2020, "Gradient Surgery for Multi-Task Learning", Algorithm 1): every gradient g_i
/// meets the others one after another and loses its component along each g_j that it then conflicts with,
/// g_i <- g_i - (<g_i, g_j> / ||g_j||^2) g_j; the results are added up.
///
/// The paper draws the others' order at random for every i and step. Here the sum is averaged over the
/// M - 1 cyclic orders i + s, .., i + M - 1, i + 1, .., i + s - 1, in which each of them comes first once:
/// for M <= 3 these are all orders and the average is the paper's expectation; beyond, it depends on how
/// the objectives are numbered. A preference changes nothing.
///
/// The weights are those of the sum scaled to sum to 1; they are non-negative. Without conflict lambda is
/// uniform. With two objectives neither conflicts with the result, with more one may.
class PcGrad : public WeightSolver {
 public:
  struct Options {
    void describe(OptionVisitor&) {}
  };

  explicit PcGrad(const Options&) {}
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return false; }
};

}  // namespace paretofl
