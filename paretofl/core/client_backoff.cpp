#include "paretofl/core/client_backoff.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::int64_t kMaxMisses = 7;  // 2^(7 - 1) rounds are the longest pause
static_assert(std::int64_t{1} << (kMaxMisses - 1) == ClientBackoff::kMaxRounds);

}  // namespace

void ClientBackoff::missed(int client, std::uint32_t round) {
  Misses& misses = misses_[client];
  misses.in_a_row = std::min(misses.in_a_row + 1, kMaxMisses);
  misses.back = std::int64_t{round} + 1 + (std::int64_t{1} << (misses.in_a_row - 1));
}

std::vector<int> ClientBackoff::available(int num_clients, std::uint32_t round, std::size_t at_least) const {
  std::vector<int> available;
  std::vector<std::pair<std::int64_t, int>> others;  // by when they come back
  for (int client = 0; client < num_clients; ++client) {
    const auto found = misses_.find(client);
    if (found == misses_.end() || found->second.back <= std::int64_t{round}) {
      available.push_back(client);
    } else {
      others.emplace_back(found->second.back, client);
    }
  }
  std::sort(others.begin(), others.end());
  for (std::size_t i = 0; i < others.size() && available.size() < at_least; ++i) available.push_back(others[i].second);
  std::sort(available.begin(), available.end());
  return available;
}

Record ClientBackoff::save() const {
  std::vector<std::int64_t> rows;
  for (const auto& [client, misses] : misses_) rows.insert(rows.end(), {client, misses.in_a_row, misses.back});
  Record state;
  state.arrays.emplace("misses", Array(std::span<const std::int64_t>(rows), {static_cast<std::int64_t>(misses_.size()), 3}));
  return state;
}

void ClientBackoff::load(const Record& state, int num_clients) {
  const Array& saved = state.array("misses");
  const std::span<const std::int64_t> rows = saved.ints();
  expect(saved.shape().size() == 2 && saved.shape()[1] == 3, "checkpoint: expected three numbers per client that missed, found others");
  misses_.clear();
  for (std::size_t i = 0; i < rows.size(); i += 3) {
    constexpr std::int64_t kLastRound = std::numeric_limits<std::uint32_t>::max();
    expect(rows[i] >= 0 && rows[i] < num_clients && rows[i + 1] >= 1 && rows[i + 1] <= kMaxMisses && rows[i + 2] >= 1 &&
               rows[i + 2] <= kLastRound + 1 + kMaxRounds,
           "checkpoint: expected a client below {}, 1 to {} misses and a round, found {}, {} and {}", num_clients, kMaxMisses, rows[i],
           rows[i + 1], rows[i + 2]);
    misses_[static_cast<int>(rows[i])] = {rows[i + 1], rows[i + 2]};
  }
}

}  // namespace paretofl
