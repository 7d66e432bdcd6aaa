#pragma once

#include <span>

#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// The Gramian of the gradients g_i + t g_0, where g_0 = sum_k p_k g_k with p on the simplex [M]: the
/// combinations of least norm of these are the directions of methods that stay near g_0.
Gramian shifted_gramian(const Gramian& gramian, std::span<const double> p, double t);

}  // namespace paretofl
