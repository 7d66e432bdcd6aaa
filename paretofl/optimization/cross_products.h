#pragma once

#include <span>
#include <vector>

namespace paretofl {

/// Inner products of the rows of two jacobians [M, d], row-major [M, M]: entry (k, l) is a_k . b_l in double precision,
/// summed from the first column to the last. Throws Error unless both are M equal rows.
std::vector<double> cross_products(std::span<const float> a, std::span<const float> b, std::size_t objectives);

}  // namespace paretofl
