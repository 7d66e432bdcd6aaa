#pragma once

#include <span>

#include "paretofl/objectives/point_set.h"
#include "paretofl/objectives/preference.h"

namespace paretofl {

/// Expected utility metric (EUM; Zintgraf et al. 2015): a user with linear preferences picks the point of the set that serves them best,
/// and this is the mean over the preferences given of what they then have, (1 / n) sum_w max_i w . f_i. Higher is better. In the
/// objectives' units, which should be one. All objectives are maximized unless directions [M] say otherwise; a minimized one counts
/// negated. Throws Error if there are no points or no preferences, if one has not M weights, or if a sum is beyond a double.
double expected_utility(const PointSet& points, std::span<const Preference> preferences, std::span<const Direction> directions = {});

/// Maximum utility loss (MUL; Zintgraf et al. 2015): the most that any of the preferences loses where it has the points of the set instead
/// of those of a reference set, max_w (max_r w . f_r - max_i w . f_i). Lower is better; below 0 where the set serves every preference
/// better. Units, directions and errors as of expected_utility(); also throws Error if the reference set is empty or of another M.
double maximum_utility_loss(const PointSet& points, const PointSet& reference_set, std::span<const Preference> preferences,
                            std::span<const Direction> directions = {});

}  // namespace paretofl
