#pragma once

#include <cstddef>
#include <span>

#include "paretofl/objectives/point_set.h"

namespace paretofl {

/// The largest M for which hypervolume() is offered; its cost grows steeply with M.
inline constexpr std::size_t kMaxHypervolumeObjectives = 6;

/// Hypervolume (Zitzler and Thiele 1999; FedPref, Section 5.1): the exact volume of the points that
/// some point of the set weakly dominates and that dominate the reference point [M], in the product
/// of the objectives' units. The reference is the worst point: lower than the others in maximized
/// objectives, higher in minimized ones. Points that are not better than it in every objective add
/// nothing. M = 2 and 3 by sweeps in O(n log n), M = 4 to 6 by exclusive volumes (the WFG algorithm,
/// While, Bradstreet and Barone 2012) down to three dimensions.
/// Throws Error for M > 6, a reference that is not M finite numbers, or a bounding box beyond a double.
double hypervolume(const PointSet& points, std::span<const double> reference, std::span<const Direction> directions = {});

}  // namespace paretofl
