#pragma once

#include <span>

#include "paretofl/workloads/workload.h"

namespace paretofl {

/// Adds to an evaluation what the exact gradients of the objectives' means [M, d] tell: their Gramian, and overall "stationarity", the
/// minimum over the simplex of ||sum_k lambda_k grad F_k||^2, which is 0 at Pareto-stationary points.
void add_stationarity(std::span<const float> exact_jacobian, std::size_t objectives, Evaluation& evaluation);

}  // namespace paretofl
