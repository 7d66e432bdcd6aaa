#pragma once

#include <string>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// Linear scalarization by the problem's preference p (uniform where it has none), lambda ~ p_k / s_k, with
/// scales s by choice:
/// - none: s = 1, lambda is p. Unlike `fixed`, whose weights are an option, p is what the caller prefers now.
/// - losses: s_k = f_k, the gradient of sum_k p_k log f_k: every objective counts by its relative progress (the
///   scale-invariant baseline of Navon et al. 2022, section 5). Needs positive losses.
/// - gradients: s_k = ||g_k||, the mean of the unit gradients. A zero gradient has weight 0.
class Linear : public WeightSolver {
 public:
  struct Options {
    std::string scale = "none";

    void describe(OptionVisitor& visit);
  };

  explicit Linear(Options options) : options_(std::move(options)) {}
  /// Throws Error if `losses` are asked for and missing or not positive.
  WeightSolution solve(const WeightProblem& problem) const override;
  LossUse loss_use() const override { return {.needed = options_.scale == "losses", .smallest = std::numeric_limits<double>::min()}; }

 private:
  Options options_;
};

}  // namespace paretofl
