#pragma once

#include "paretofl/objectives/point_set.h"

namespace paretofl {

/// Inverted generational distance (Coello Coello and Cruz Cortes 2005; FedPref, Section 5.1): the mean
/// over the reference front's points of the Euclidean distance to the nearest point of the set. Both
/// sets as given, neither filtered: where a set has dominated points, FedPref speaks of its front. Throws Error if one is empty, their M
/// differ, or a squared distance is beyond a double.
double inverted_generational_distance(const PointSet& points, const PointSet& reference_front);

}  // namespace paretofl
