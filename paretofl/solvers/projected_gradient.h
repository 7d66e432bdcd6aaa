#pragma once

#include <cstdint>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// FindWeights of FedCMOO (Algorithm 2): K steps lambda <- proj_simplex(lambda - beta G lambda) from
/// `previous`, or from uniform weights where there is none. The official implementation divides G by
/// [mean_k sqrt(G_kk + 1e-4)]^2 first, which the paper doesn't mention. A start that the steps don't
/// move far from is the point of the method: the KKT residual tells how far lambda is from minimal norm.
class ProjectedGradient : public WeightSolver {
 public:
  struct Options {
    double beta = 0.001;
    std::int64_t steps = 1000;
    bool normalize = true;

    void describe(OptionVisitor& visit);
  };

  explicit ProjectedGradient(Options options) : options_(options) {}
  /// Counts as iterations the steps up to the first that changed no bit; later ones would not either. Throws
  /// Error where `previous` has a negative weight.
  WeightSolution solve(const WeightProblem& problem) const override;
  bool reads_preference() const override { return false; }
  bool reads_previous() const override { return true; }
  bool reads_scale() const override { return true; }

 private:
  Options options_;
};

}  // namespace paretofl
