#pragma once

#include <span>
#include <vector>

#include "paretofl/optimization/unit_gramian.h"

namespace paretofl {

/// A direction sum_k b_k u_k along the unit gradients whose cosines with them are proportional to w.
struct EqualCosines {
  std::vector<double> along_units;  ///< b [M]; entries may be negative
  double residual = 0;              ///< ||R b - w|| / ||w||, in [0, 1]
};

/// b = R^+ w, with R^+ the pseudo-inverse (eigenvalues below 1e-12 of the largest count as 0): R b = w where
/// some direction has these cosines, and the least-squares solution where none has. Where that is the
/// direction 0, no objective gains anything along any b of this form, and b are the weights of the
/// minimum-norm combination of the unit gradients: non-negative, with a direction of 0. w is positive; a zero gradient
/// counts as if its w were 0.
EqualCosines equal_cosines(const UnitGramian& units, std::span<const double> target);

}  // namespace paretofl
