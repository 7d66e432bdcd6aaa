#pragma once

#include <vector>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// Constant objective weights: linear scalarization.
class Fixed : public WeightSolver {
 public:
  struct Options {
    std::vector<double> objective_weights = {};

    void describe(OptionVisitor& visit);
  };

  /// Throws Error if the weights are all zero.
  explicit Fixed(Options options);
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return false; }

 private:
  std::vector<double> objective_weights_;  // on the simplex, or empty for uniform
};

}  // namespace paretofl
