#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// The step of the weights in MoDo (Chen et al. 2023, "Three-Way Trade-Off in Multi-Objective Learning: Optimization, Generalization and
/// Conflict-Avoidance", the algorithm MoDo): lambda <- proj_simplex(lambda - gamma (J_1 J_2^T + rho I) lambda), one step from `previous`,
/// with J_1 and J_2 the gradients on two independent samples. The Gramian of one stochastic jacobian is biased by its noise; the product of
/// two independent ones is not.
///
/// The caller gives J_1 J_2^T as `two_sample_products`. Without it the Gramian takes its place, which is right for exact gradients only;
/// strategies that draw one sample refuse the solver. rho is 0 in the first version of the paper; the library LibMTL has gamma = 0.001 and
/// rho = 0.1.
class MoDo : public WeightSolver {
 public:
  struct Options {
    double gamma = 0.1;
    double rho = 0;

    void describe(OptionVisitor& visit);
  };

  explicit MoDo(const Options& options) : options_(options) {}
  /// Throws Error if `previous` has a negative weight.
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return false; }
  bool reads_previous() const override { return true; }
  bool reads_scale() const override { return true; }
  bool reads_two_samples() const override { return true; }

 private:
  Options options_;
};

}  // namespace paretofl
