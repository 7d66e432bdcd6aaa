#pragma once

#include "paretofl/objectives/point_set.h"

namespace paretofl {

/// Inverted generational distance (Coello Coello and Cruz Cortes 2005; FedPref, Section 5.1): the mean
/// over the reference front's points of the Euclidean distance to the nearest point of the set. Over the
/// sets as given: the published figures, and MORL-Baselines', are of the set's distinct Pareto front, so
/// filter first (pareto_front.h). Throws Error if one is empty, their M differ, or a squared distance is
/// beyond a double.
double inverted_generational_distance(const PointSet& points, const PointSet& reference_front);

}  // namespace paretofl
