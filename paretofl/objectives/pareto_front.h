#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/objectives/point_set.h"

namespace paretofl {

/// Whether `a` [M] dominates `b` [M] under maximization: nowhere lower, somewhere higher.
bool dominates(std::span<const double> a, std::span<const double> b);

/// The indices of the points that no other point dominates, ascending. Equal points don't dominate
/// each other, so duplicates of a front point are all in. All objectives are maximized unless
/// directions [M] say otherwise. O(n log n) for M <= 2, else O(n (log n + front size) M).
std::vector<std::size_t> pareto_front(const PointSet& points, std::span<const Direction> directions = {});

/// The same with one index, the lowest, for each group of equal points: the distinct trade-offs.
std::vector<std::size_t> distinct_pareto_front(const PointSet& points, std::span<const Direction> directions = {});

/// Cardinality (FedPref, Section 5.1): the number of distinct points on the front. Twenty clients
/// whose equal models played the same episodes found one trade-off, not twenty; where each plays episodes of its own, their
/// returns differ and count.
std::size_t cardinality(const PointSet& points, std::span<const Direction> directions = {});

}  // namespace paretofl
