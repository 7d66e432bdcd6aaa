#pragma once

#include <limits>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// FAMO (Liu, Feng, Stone and Liu 2023, "FAMO: Fast Adaptive Multitask Optimization", Algorithm 1): weights from losses alone, so that all
/// log losses fall at the same rate. With z = softmax(xi), the model descends c sum_k z_k grad log f_k, c = 1 / sum_k (z_k / f_k), which
/// is lambda_k = c z_k / f_k, on the simplex. After the step,
///   xi <- xi - beta (delta + gamma xi),  delta = J(z)^T (log f(before) - log f(after)),  J(z) = diag(z) - z z^T.
///
/// The solver keeps no xi: z_k is proportional to lambda_k f_k(before), so that `previous` and `previous_losses` say what xi was up to a
/// constant, and constants change no softmax, before or after the update. Without previous_losses z is uniform (xi = 0).
///
/// The losses after the step are those that the next call is given. In the paper's code they are taken on the same minibatch; a strategy's
/// losses are on new minibatches, or with `losses = "local"` of fedcmoo on all of the clients' data. The paper's code steps xi by Adam;
/// this is the plain step of Algorithm 1, whose beta is of another size: the log falls of a whole run add up to z_k times the
/// difference in log losses, so that with the code's 0.025 the weights would hardly move. The Gramian is not read but for its size: with
/// fedcmoo's compressor client_grams hardly anything is sent for it.
class Famo : public WeightSolver {
 public:
  struct Options {
    double beta = 5;
    double gamma = 0.001;

    void describe(OptionVisitor& visit);
  };

  explicit Famo(const Options& options) : options_(options) {}
  /// Throws Error unless there are losses, all losses are positive, and `previous` has no negative weight.
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return false; }
  bool reads_previous() const override { return true; }
  LossUse loss_use() const override { return {.needed = true, .smallest = std::numeric_limits<double>::min()}; }
  bool reads_previous_losses() const override { return true; }

 private:
  Options options_;
};

}  // namespace paretofl
