#pragma once

#include <string>
#include <vector>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// FIRM's weights, exact: lambda* = argmin over the simplex of lambda^T (G_hat + R) lambda, with
/// G_hat = G / (tr(G) / M) under trace normalization (eq. 9) and G_hat = G without (eq. 2), and
/// R = beta / 2 I, or R = Diag(1 / p) where a preference p is given, by the options or by the problem
/// (eq. 3 and 54). A larger p_j gives a larger or equal lambda_j; the scale of p matters.
/// With trace normalization, tr(G) = 0 gives uniform weights.
///
/// Smoothing (T-FIRM, Algorithm 2) returns (1 - eta) previous + eta lambda*, and lambda* itself at step 1
/// if there is no previous. The KKT residual is that of lambda*.
class RegularizedMinNorm : public WeightSolver {
 public:
  struct Options {
    bool trace_normalization = true;
    double beta = 0.01;
    std::vector<double> preference = {};
    std::string smoothing = "off";
    double smoothing_rate = 0.1;

    void describe(OptionVisitor& visit);
  };

  /// Throws Error unless the options' preference is positive.
  explicit RegularizedMinNorm(Options options);
  /// Also throws Error if both the options and the problem give a preference, or where smoothing
  /// lacks `previous` after step 1 or finds a negative weight in it.
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_previous() const override { return options_.smoothing != "off"; }
  bool reads_scale() const override { return !options_.trace_normalization; }

 private:
  WeightSolution minimize(const WeightProblem& problem) const;
  void smooth(const WeightProblem& problem, std::vector<double>& objective_weights) const;

  Options options_;
};

}  // namespace paretofl
