#pragma once

#include <span>
#include <vector>

#include "paretofl/optimization/unit_gramian.h"

namespace paretofl {

/// What turns a direction into its projection on the dual cone {d : <g_k, d> >= 0 for every k}: the
/// nearest direction with which no objective conflicts.
struct DualConeStep {
  std::vector<double> along_units;  ///< z >= 0 [M]: sum_k z_k u_k is added to the direction
  double residual = 0;              ///< in [0, 1], 0 at the projection
  int iterations = 0;
};

/// From the direction sum_k s_k u_k along the unit gradients u_k, s >= 0 [M]. Its projection is
/// sum_k (s_k + z_k) u_k for z = argmin over z >= 0 of (s + z)^T R (s + z) (Quinton and Rey 2024,
/// Proposition 1), solved exactly by the active-set method. Optimal if and only if R (s + z) >= 0, with
/// equality where z_k > 0; the residual is the largest violation over sum(s + z), which bounds R (s + z).
DualConeStep step_to_dual_cone(const UnitGramian& units, std::span<const double> start);

}  // namespace paretofl
