#pragma once

#include <span>
#include <vector>

#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// Replaces a finite point [n] by its Euclidean projection on the weights that sum to one with low_i <= w_i <= high_i [n]: by bisection of
/// the shift. Some such weights must exist.
void project_onto_box_simplex(std::span<double> point, std::span<const double> low, std::span<const double> high);

/// argmin of w^T Q w over the weights [n] on the simplex with |w_i - center_i| <= radius, for a positive semidefinite Q and a center on the
/// simplex. A radius of 0 gives the center, to the bit; where the bounds do not bind at all (radius 1), minimize_on_simplex() is exact;
/// else accelerated projected gradient steps (Nesterov, with restarts) until the objective is within 1e-12 of the largest diagonal entry of
/// its minimum, or 20,000 of them are done. Q must pass Gramian::check().
std::vector<double> minimize_near(const Gramian& q, std::span<const double> center, double radius);

}  // namespace paretofl
