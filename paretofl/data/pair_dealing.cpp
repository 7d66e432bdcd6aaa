#include "paretofl/data/pair_dealing.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <unordered_map>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

/// The pairs of a dimension by their prompts' ranks.
using PairsOfRank = std::map<std::size_t, std::vector<std::uint32_t>>;

/// Distinct prompts of all dimensions, by random ranks.
struct RankedPairs {
  std::size_t prompts = 0;
  std::vector<PairsOfRank> dimensions;  ///< [M]
};

RankedPairs ranked_pairs(const std::vector<std::vector<std::string_view>>& prompts, std::uint64_t seed) {
  std::unordered_map<std::string_view, std::size_t> number_of;
  for (const std::vector<std::string_view>& dimension : prompts) {
    for (const std::string_view prompt : dimension) number_of.try_emplace(prompt, number_of.size());
  }
  std::vector<std::size_t> ranks(number_of.size());
  std::iota(ranks.begin(), ranks.end(), std::size_t{0});
  Random({seed, 0, kServerStream}, "pair split").shuffle(std::span(ranks));
  RankedPairs ranked{.prompts = ranks.size(), .dimensions = std::vector<PairsOfRank>(prompts.size())};
  for (std::size_t k = 0; k < prompts.size(); ++k) {
    for (std::size_t i = 0; i < prompts[k].size(); ++i) {
      ranked.dimensions[k][ranks[number_of.at(prompts[k][i])]].push_back(static_cast<std::uint32_t>(i));
    }
  }
  return ranked;
}

std::size_t held_by_each(const PairDealing& dealing, std::size_t dimensions) {
  return dealing.dimensions_per_client == 0 ? dimensions : std::min(dealing.dimensions_per_client, dimensions);
}

void expect_a_client_each(const PairDealing& dealing, std::size_t dimensions) {
  const std::size_t fewest = dimensions - held_by_each(dealing, dimensions) + 1;
  expect(dealing.clients >= fewest, "workload.clients: expected at least {}, so that each of {} dimensions has a client, found {}", fewest,
         dimensions, dealing.clients);
}

/// How many clients dealt_dimensions gives the dimension k of M.
std::size_t holders_of(std::size_t k, const PairDealing& dealing, std::size_t dimensions) {
  const std::size_t each = held_by_each(dealing, dimensions);
  std::size_t holders = dealing.clients / dimensions * each;
  for (std::size_t client = 0; client < dealing.clients % dimensions; ++client) holders += (k + dimensions - client) % dimensions < each;
  return holders;
}

/// The client that each prompt goes to, in all dimensions, where all clients hold all.
class SharedOwners {
 public:
  SharedOwners(const RankedPairs& ranked, std::size_t clients)
      : owner_(ranked.prompts, clients), has_(ranked.prompts), count_(ranked.dimensions.size(), std::vector<std::size_t>(clients)) {
    for (std::size_t k = 0; k < ranked.dimensions.size(); ++k) {
      for (const auto& [rank, pairs] : ranked.dimensions[k]) has_[rank].push_back(k);
    }
    std::vector<std::size_t> order(ranked.dimensions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ranked.dimensions[a].size() < ranked.dimensions[b].size(); });
    for (const std::size_t k : order) deal(k, ranked.dimensions[k]);
    for (const std::size_t k : order) fill(k, ranked.dimensions[k]);
  }

  std::size_t operator()(std::size_t rank) const { return owner_[rank]; }
  /// How many prompts of the dimension k each client has.
  const std::vector<std::size_t>& counts(std::size_t k) const { return count_[k]; }

 private:
  void deal(std::size_t k, const PairsOfRank& pairs_of) {
    using Load = std::pair<std::size_t, std::size_t>;  // prompts of the dimension, client
    std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
    for (std::size_t client = 0; client < count_[k].size(); ++client) least.emplace(count_[k][client], client);
    for (const auto& [rank, pairs] : pairs_of) {
      if (owner_[rank] < count_[k].size()) continue;
      const std::size_t client = least.top().second;
      least.pop();
      give(rank, client);
      least.emplace(count_[k][client], client);
    }
  }

  /// Moves prompts of the dimension k to clients without any, from clients that have others in all of the prompt's dimensions.
  void fill(std::size_t k, const PairsOfRank& pairs_of) {
    for (std::size_t client = 0; client < count_[k].size(); ++client) {
      if (count_[k][client] > 0) continue;
      const auto spare = [&](const auto& entry) {
        const std::vector<std::size_t>& dimensions = has_[entry.first];
        return std::all_of(dimensions.begin(), dimensions.end(), [&](std::size_t j) { return count_[j][owner_[entry.first]] > 1; });
      };
      const auto found = std::find_if(pairs_of.begin(), pairs_of.end(), spare);
      if (found == pairs_of.end()) return;
      for (const std::size_t j : has_[found->first]) --count_[j][owner_[found->first]];
      give(found->first, client);
    }
  }

  void give(std::size_t rank, std::size_t client) {
    owner_[rank] = client;
    for (const std::size_t k : has_[rank]) ++count_[k][client];
  }

  std::vector<std::size_t> owner_;               // [prompts]; the number of clients where not yet dealt
  std::vector<std::vector<std::size_t>> has_;    // [prompts] dimensions with the prompt
  std::vector<std::vector<std::size_t>> count_;  // [M, clients] prompts
};

}  // namespace

std::vector<std::vector<bool>> dealt_dimensions(const PairDealing& dealing, std::size_t dimensions) {
  expect_a_client_each(dealing, dimensions);
  std::vector<std::vector<bool>> holds(dealing.clients, std::vector<bool>(dimensions));
  for (std::size_t client = 0; client < dealing.clients; ++client) {
    for (std::size_t j = 0; j < held_by_each(dealing, dimensions); ++j) holds[client][(client + j) % dimensions] = true;
  }
  return holds;
}

std::vector<std::vector<std::vector<std::uint32_t>>> deal_pairs(const std::vector<std::vector<std::string_view>>& prompts,
                                                                const std::vector<std::string>& names, const PairDealing& dealing,
                                                                std::uint64_t seed) {
  const std::size_t dimensions = prompts.size();
  const RankedPairs ranked = ranked_pairs(prompts, seed);
  expect_a_client_each(dealing, dimensions);
  for (std::size_t k = 0; k < dimensions; ++k) {
    const std::size_t holders = holders_of(k, dealing, dimensions);
    expect(ranked.dimensions[k].size() >= holders,
           "workload.clients: expected a prompt of the dimension '{}' for each of {} clients, found {}", names[k], holders,
           ranked.dimensions[k].size());
  }
  std::vector<std::vector<std::vector<std::uint32_t>>> dealt(dealing.clients, std::vector<std::vector<std::uint32_t>>(dimensions));
  const auto give = [&](std::size_t client, std::size_t k, const std::vector<std::uint32_t>& pairs) {
    dealt[client][k].insert(dealt[client][k].end(), pairs.begin(), pairs.end());
  };
  if (held_by_each(dealing, dimensions) == dimensions) {
    const SharedOwners owner(ranked, dealing.clients);
    for (std::size_t k = 0; k < dimensions; ++k) {
      const auto without = std::count(owner.counts(k).begin(), owner.counts(k).end(), std::size_t{0});
      expect(without == 0,
             "workload.clients: expected prompts of the dimension '{}' for all of {} clients, where a prompt goes to one client in all "
             "dimensions; found none for {} of them",
             names[k], dealing.clients, without);
      for (const auto& [rank, pairs] : ranked.dimensions[k]) give(owner(rank), k, pairs);
    }
    return dealt;
  }
  const std::vector<std::vector<bool>> holds = dealt_dimensions(dealing, dimensions);
  for (std::size_t k = 0; k < dimensions; ++k) {
    std::vector<std::size_t> holders;
    for (std::size_t client = 0; client < dealing.clients; ++client) {
      if (holds[client][k]) holders.push_back(client);
    }
    std::size_t turn = 0;
    for (const auto& [rank, pairs] : ranked.dimensions[k]) give(holders[turn++ % holders.size()], k, pairs);
  }
  return dealt;
}

}  // namespace paretofl
