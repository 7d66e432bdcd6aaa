#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// A random Gramian of M = 2 .. 64 gradients, one of a family of easy and hard ones, and what it is:
/// full rank or singular, with a common direction or in conflict, duplicated or nearly duplicated rows,
/// rows that sum to zero, low rank plus noise, zero rows, rows up to 1e12 apart in scale.
struct RandomGramian {
  std::string description;
  Gramian gramian;
};

/// A pure function of the index.
RandomGramian random_gramian(std::uint64_t index);

/// J J^T of rows [M, d].
Gramian gramian_of(const std::vector<double>& rows, std::size_t objectives);

/// M x d independent normal entries.
std::vector<double> normal_rows(std::uint64_t index, std::size_t objectives, std::size_t columns);

}  // namespace paretofl
