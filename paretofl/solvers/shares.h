#pragma once

#include <span>
#include <vector>

#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// `values` [M], finite, divided by the sum of their absolute values; uniform where all are zero. Neither
/// the largest doubles nor the smallest overflow or lose digits on the way.
std::vector<double> shares(std::span<const double> values);

/// The preference scaled to sum to 1, or uniform shares if the problem has none.
std::vector<double> preference_shares(const WeightProblem& problem);

}  // namespace paretofl
