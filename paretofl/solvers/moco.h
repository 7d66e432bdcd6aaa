#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// The step of the weights in MoCo (Fernando et al. 2023, "Mitigating Gradient Bias in Multi-objective Learning: A Provably Convergent
/// Approach", Algorithm 1): lambda <- proj_simplex(lambda - gamma (Y^T Y + rho I) lambda), one step from `previous`.
///
/// Y has tracked gradients y_k <- y_k - beta (y_k - h_k) of the stochastic ones h_k. The caller that forms the Gramian Y^T Y tracks them;
/// the strategy fsmgda does so by its option `tracking`. On a Gramian of gradients that are not tracked, this is MoCo with beta = 1. In the
/// paper the model and the weights step at the same time, the model by the last weights; here, as in all strategies and in the authors'
/// code, the weights step first. The authors' code projects as the paper does, but for one of its experiments (Cityscapes), where it takes
/// a softmax; it has no rho, and can scale h_k to the length of the loss f_k. The paper's step sizes fall with the iterations; here gamma
/// and rho are constant.
class MoCo : public WeightSolver {
 public:
  struct Options {
    double gamma = 0.1;
    double rho = 0.1;

    void describe(OptionVisitor& visit);
  };

  explicit MoCo(const Options& options) : options_(options) {}
  /// Throws Error if `previous` has a negative weight.
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return false; }
  bool reads_previous() const override { return true; }
  bool reads_scale() const override { return true; }

 private:
  Options options_;
};

}  // namespace paretofl
