#pragma once

#include <memory>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// CR-MOGM (Zhou et al. 2022, "On the Convergence of Stochastic Multi-Objective Gradient Manipulation and Beyond", Algorithm 1): the
/// weights of another method smoothed from step to step, lambda_t = alpha lambda_{t-1} + (1 - alpha) lambda_hat_t, with lambda_{t-1} =
/// `previous`. Without it lambda_t is lambda_hat_t; strategies begin with the uniform weights. The paper lets alpha_t vary; here it is
/// constant.
///
/// A method that starts from the previous weights starts from the smoothed ones. Of methods with signed weights, the smoothed weights are
/// divided by the sum of their absolute values. The KKT residual and the iterations are those of the inner solver.
class CrMogm : public WeightSolver {
 public:
  struct Options {
    Component solver{"min_norm", {}};
    double alpha = 0.9;

    void describe(OptionVisitor& visit);
  };

  /// Throws Error if the inner solver keeps a state of its own in `previous`, as famo does, which smoothing would change.
  explicit CrMogm(const Options& options);
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return solver_->reads_preference(); }
  bool reads_previous() const override { return alpha_ > 0 || solver_->reads_previous(); }
  bool reads_scale() const override { return solver_->reads_scale(); }
  LossUse loss_use() const override { return solver_->loss_use(); }
  bool reads_two_samples() const override { return solver_->reads_two_samples(); }

 private:
  std::unique_ptr<WeightSolver> solver_;
  double alpha_;
};

}  // namespace paretofl
