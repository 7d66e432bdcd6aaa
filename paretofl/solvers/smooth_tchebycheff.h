#pragma once

#include <vector>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// Smooth Tchebycheff scalarization (Lin et al. 2024, "Smooth Tchebycheff Scalarization for Multi-Objective
/// Optimization", equations 5 and 6): the gradient of mu log sum_k exp(p_k (f_k - z_k) / mu), with the losses f, the
/// ideal point z and a preference p (scaled to mean 1; 1 without), is sum_k p_k y_k g_k with
/// y = softmax(p (f - z) / mu). lambda ~ p y, scaled to sum to 1. mu -> 0 trains the worst objective alone, a
/// large mu gives lambda ~ p. Uses the losses, and nothing of the Gramian.
class SmoothTchebycheff : public WeightSolver {
 public:
  struct Options {
    double mu = 0.1;
    std::vector<double> ideal = {};

    void describe(OptionVisitor& visit);
  };

  explicit SmoothTchebycheff(Options options) : options_(std::move(options)) {}
  /// Throws Error if the problem has no losses, or the ideal point another number of objectives.
  WeightSolution solve(const WeightProblem& problem) const override;
  LossUse loss_use() const override { return {}; }

 private:
  Options options_;
};

}  // namespace paretofl
