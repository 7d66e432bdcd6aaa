#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "paretofl/core/random.h"

namespace paretofl {

/// Who masks with whom in a secure sum: the neighbours of each client, by ascending id, a symmetric relation. All clients
/// where there are at most `degree` + 1 of them (Bonawitz et al. 2017). Otherwise a ring in random order, on which each
/// client is joined to the `degree` nearest, an even number (Bell et al. 2020, Section 3): masks and shares then grow with the degree
/// instead of the cohort. Throws Error unless the degree is even and from 2 to kMostShares.
std::map<int, std::vector<int>> mask_graph(std::span<const int> clients, std::size_t degree, Random random);

}  // namespace paretofl
