#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "paretofl/core/record.h"

namespace paretofl {

/// Which clients sit out because they were late or failed: after 1, 2, 3, ... misses in a row a client sits out the next 1, 2, 4, ...
/// rounds, at most 64, and an answer clears its misses. It depends on nothing but what it was told.
class ClientBackoff {
 public:
  static constexpr std::int64_t kMaxRounds = 64;

  /// The client answered all that it was asked in a round.
  void answered(int client) { misses_.erase(client); }
  /// The client was late or failed in this round.
  void missed(int client, std::uint32_t round);

  /// Those of the clients 0 .. num_clients - 1 that do not sit this round out, by ascending id. If these are fewer than `at_least`, others
  /// are added up to that number: those that come back soonest and, among equals, those with the smallest ids.
  std::vector<int> available(int num_clients, std::uint32_t round, std::size_t at_least) const;

  Record save() const;
  /// Throws Error on clients that are not below num_clients and on numbers that no save() writes.
  void load(const Record& state, int num_clients);

  bool operator==(const ClientBackoff&) const = default;

 private:
  struct Misses {
    std::int64_t in_a_row = 0;  ///< counted up to the one after which the pause grows no longer
    std::int64_t back = 0;      ///< the first round that the client does not sit out
    bool operator==(const Misses&) const = default;
  };

  std::map<int, Misses> misses_;
};

}  // namespace paretofl
