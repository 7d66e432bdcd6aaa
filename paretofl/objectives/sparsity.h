#pragma once

#include "paretofl/objectives/point_set.h"

namespace paretofl {

/// Sparsity (Xu et al. 2020; FedPref, Section 5.1): with the n points' values of each objective
/// sorted, the sum over objectives and neighbours of the squared gap, divided by n - 1; 0 for n <= 1.
/// Lower is denser. In squared units of the objectives. Over the points as given: the published
/// figures are over the distinct Pareto front, so filter first (pareto_front.h). Throws Error
/// where a squared gap is beyond a double.
double sparsity(const PointSet& points);

}  // namespace paretofl
