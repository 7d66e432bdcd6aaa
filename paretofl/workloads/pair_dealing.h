#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/text/dimension_pairs.h"

namespace paretofl {

/// Which of `dimensions` dimensions each client holds: `held` of them, client i those from i on, in a circle; all of them where `held` is 0
/// or more than there are. [clients, M]
std::vector<std::vector<bool>> dealt_dimensions(std::size_t clients, std::size_t dimensions, std::size_t held);

/// The numbers of each client's pairs [clients, M], from the pairs [M] of each dimension. A dimension's pairs are dealt at random and
/// evenly to the clients that hold it, all pairs of a prompt to one of them; a prompt that all dimensions have goes to the same client in
/// each, where all clients hold all. Throws Error where a dimension has fewer prompts than clients that hold it.
std::vector<std::vector<std::vector<std::uint32_t>>> deal_pairs(const std::vector<std::vector<DimensionPair>>& pairs,
                                                                const std::vector<std::vector<bool>>& holds,
                                                                const std::vector<std::string>& names, std::uint64_t seed);

}  // namespace paretofl
