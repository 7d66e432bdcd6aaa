#pragma once

#include <cstdint>
#include <vector>

#include "paretofl/core/cohort.h"
#include "paretofl/core/record.h"
#include "paretofl/core/request.h"

namespace paretofl {

/// What a server knows of clients whose states must fit its own: the last round in which each one's reply counted. A reply that comes too
/// late, that is left out, or that belongs to a round that was abandoned afterwards does not count. The clients take back such a change
/// (PendingChange).
class CountedReplies {
 public:
  explicit CountedReplies(int num_clients) : rounds_(static_cast<std::size_t>(num_clients)) {}

  /// Names in the request the round of each client of the cohort.
  void tell(const Cohort& cohort, Request& request) const;
  /// After the exchange: the clients whose replies went into the server's state.
  void count(const Cohort& cohort, std::uint32_t round);

  void save(Record& state) const;
  /// Throws Error unless the state has as many numbers.
  void load(const Record& state);

 private:
  std::vector<std::int64_t> rounds_;  ///< [n]; 0: none
};

}  // namespace paretofl
