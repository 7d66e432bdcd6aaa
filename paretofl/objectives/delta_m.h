#pragma once

#include <span>

#include "paretofl/objectives/direction.h"

namespace paretofl {

/// Delta_M (FedCMOO, Appendix E.3; Fernando et al. 2022): the mean over objectives of the relative
/// loss of a method's score [M] against a baseline's [M], such as single-objective training. Positive
/// is worse than the baseline. A fraction: 0.0079 is what the paper prints as 0.79 %. One direction
/// per objective; throws Error unless there are M >= 1 finite scores of each and the baseline's are
/// positive (a loss relative to a negative score would count an improvement as a loss).
double delta_m(std::span<const double> method, std::span<const double> baseline, std::span<const Direction> directions);

}  // namespace paretofl
