#include "paretofl/workloads/pair_dealing.h"

#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

/// A random rank of each distinct prompt.
std::unordered_map<std::string_view, std::size_t> random_ranks(const std::vector<std::vector<DimensionPair>>& pairs, std::uint64_t seed) {
  std::unordered_map<std::string_view, std::size_t> rank_of;
  for (const std::vector<DimensionPair>& dimension : pairs) {
    for (const DimensionPair& pair : dimension) rank_of.try_emplace(pair.prompt, rank_of.size());
  }
  std::vector<std::size_t> ranks(rank_of.size());
  std::iota(ranks.begin(), ranks.end(), std::size_t{0});
  Random({seed, 0, kServerStream}, "pair split").shuffle(std::span(ranks));
  for (auto& [prompt, rank] : rank_of) rank = ranks[rank];
  return rank_of;
}

}  // namespace

std::vector<std::vector<bool>> dealt_dimensions(std::size_t clients, std::size_t dimensions, std::size_t held) {
  const std::size_t each = held == 0 ? dimensions : std::min(held, dimensions);
  std::vector<std::vector<bool>> holds(clients, std::vector<bool>(dimensions));
  for (std::size_t client = 0; client < clients; ++client) {
    for (std::size_t j = 0; j < each; ++j) holds[client][(client + j) % dimensions] = true;
  }
  return holds;
}

std::vector<std::vector<std::vector<std::uint32_t>>> deal_pairs(const std::vector<std::vector<DimensionPair>>& pairs,
                                                                const std::vector<std::vector<bool>>& holds,
                                                                const std::vector<std::string>& names, std::uint64_t seed) {
  const auto rank_of = random_ranks(pairs, seed);
  std::vector<std::vector<std::vector<std::uint32_t>>> dealt(holds.size(), std::vector<std::vector<std::uint32_t>>(pairs.size()));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    std::vector<std::size_t> holders;
    for (std::size_t client = 0; client < holds.size(); ++client) {
      if (holds[client][k]) holders.push_back(client);
    }
    std::map<std::size_t, std::vector<std::uint32_t>> hands;  // pairs of one prompt, by its rank
    for (std::size_t i = 0; i < pairs[k].size(); ++i) hands[rank_of.at(pairs[k][i].prompt)].push_back(static_cast<std::uint32_t>(i));
    expect(hands.size() >= holders.size(), "workload.clients: expected a prompt of the dimension '{}' for each of {} clients, found {}",
           names[k], holders.size(), hands.size());
    std::size_t turn = 0;
    for (const auto& [rank, hand] : hands) {
      std::vector<std::uint32_t>& numbers = dealt[holders[turn++ % holders.size()]][k];
      numbers.insert(numbers.end(), hand.begin(), hand.end());
    }
  }
  return dealt;
}

}  // namespace paretofl
