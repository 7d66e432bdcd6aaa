#pragma once

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// ConFIG (Liu, Chu and Thuerey 2024, "ConFIG: Towards Conflict-Free Training of Physics Informed Neural
/// Networks", equations 2 and 3): the direction U^+ w, with U the unit gradients as rows, whose cosines with
/// them are proportional to w: 1, or the preference (scaled to mean 1). With R the cosines and n the norms,
/// lambda_k ~ (R^+ w)_k / n_k (equal_cosines.h).
///
/// The paper makes the direction as long as the sum of the gradients' projections on it; here the absolute
/// values of the weights sum to 1, and length is left to the learning rate. Without a preference that is
/// imtl_g: the two papers differ in length alone. From M = 3 on weights may be NEGATIVE, with a preference
/// from M = 2 on. A zero gradient has weight 0. The KKT residual says how far the cosines are from w.
class ConFig : public WeightSolver {
 public:
  struct Options {
    void describe(OptionVisitor&) {}
  };

  explicit ConFig(const Options&) {}
  WeightSolution solve(const WeightProblem& problem) const override;
};

}  // namespace paretofl
