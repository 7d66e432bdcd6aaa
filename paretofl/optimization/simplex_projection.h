#pragma once

#include <span>

namespace paretofl {

/// Replaces a finite point [M] by its Euclidean projection on the probability simplex: sorts, finds the
/// threshold, clips (Held, Wolfe and Crowder 1974). `scratch` [M] is overwritten. O(M log M).
void project_onto_simplex(std::span<double> point, std::span<double> scratch);

}  // namespace paretofl
