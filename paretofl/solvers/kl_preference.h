#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// FindWeights-Pref (FedCMOO, Algorithms 4 and 8): steers towards r_1 F_1 = ... = r_M F_M for the
/// preference r (uniform where there is none). With u_k = r_k F_k / sum_j r_j F_j, mu = KL(u || 1/M) and
/// a_k = r_k (log(M u_k) - mu), lambda maximizes lambda^T G a while mu > epsilon (balance), else
/// lambda^T G 1 (descent), over the simplex subject to (19):
///   lambda^T g_k >= 0 for k in J* = {k : r_k F_k >= leader_fraction max_j r_j F_j},
///   lambda^T g_k >= a^T g_k (0 if no objective has a^T g_k > 0) for the other k with a^T g_k <= 0.
///
/// The paper's J* holds the maximum alone (leader_fraction 1); the authors' code uses 0.9. With noisy
/// losses and gradients (19) can be infeasible: then lambda is the best of those that violate the
/// constraints least (linear_program.h), each taken relative to the largest |G_kj| of its row, and
/// kkt_residual tells by how much (0: feasible; at most 1). At last lambda is projected onto the simplex with every entry at least
/// weight_floor / M, the paper's practical improvement (0.2 there, off for preference fronts).
///
/// a is computed for r scaled to mean 1, so that the scale of r doesn't matter. Where r_k F_k = 0 for some
/// k, log(M u_k) is taken at u_k = 1e-12.
class KlPreference : public WeightSolver {
 public:
  struct Options {
    double epsilon = 0.01;
    double weight_floor = 0.2;
    double leader_fraction = 1;

    void describe(OptionVisitor& visit);
  };

  explicit KlPreference(Options options) : options_(options) {}
  /// Throws Error without losses or if one is negative.
  WeightSolution solve(const WeightProblem& problem) const override;
  LossUse loss_use() const override { return {.needed = true, .smallest = 0}; }

 private:
  Options options_;
};

}  // namespace paretofl
