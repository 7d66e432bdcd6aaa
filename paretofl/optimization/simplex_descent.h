#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace paretofl {

/// Projected gradient steps lambda <- proj_simplex(lambda - A lambda), up to `steps` or until a step changes
/// no bit. `a` is symmetric, [M, M] row-major: the step size times a Gramian. Returns the number of steps.
int descend_on_simplex(std::span<const double> a, std::int64_t steps, std::vector<double>& lambda);

}  // namespace paretofl
