#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// To how many clients pairs are dealt, and pairs of how many dimensions each of them holds.
struct PairDealing {
  std::size_t clients = 1;
  std::size_t dimensions_per_client = 0;  ///< 0, or more than there are: all
};

/// Which of `dimensions` dimensions each client holds: client i those from number i on, in a circle. [clients, M] Throws Error if there are
/// too few clients for each dimension to have one.
std::vector<std::vector<bool>> dealt_dimensions(const PairDealing& dealing, std::size_t dimensions);

/// The numbers of each client's pairs [clients, M], from the prompts [M] of each dimension's pairs; `names` [M] are the dimensions', for
/// messages. The pairs of a dimension are dealt at random to the clients that hold it, all pairs of a prompt to one of them.
///
/// Where clients hold some of the dimensions, each dimension is dealt by itself, and its prompts evenly. Where all clients hold all, the
/// pairs of a prompt go to the same client in every dimension. Dimensions are then dealt in turn, those with the fewest prompts first, and
/// prompts that are not yet dealt go to the client with the fewest prompts of the dimension; so numbers of prompts are equal, up to one,
/// where all dimensions have the same prompts, and can differ by more otherwise.
///
/// Throws Error where a dimension has fewer prompts than clients that hold it, or a client would be left without pairs of a dimension, and
/// as dealt_dimensions does; before it takes memory for the clients.
std::vector<std::vector<std::vector<std::uint32_t>>> deal_pairs(const std::vector<std::vector<std::string_view>>& prompts,
                                                                const std::vector<std::string>& names, const PairDealing& dealing,
                                                                std::uint64_t seed);

}  // namespace paretofl
