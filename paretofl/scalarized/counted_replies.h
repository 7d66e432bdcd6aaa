#pragma once

#include <cstdint>
#include <vector>

#include "paretofl/core/cohort.h"
#include "paretofl/core/record.h"
#include "paretofl/core/request.h"

namespace paretofl {

/// What a server knows of clients whose states must fit its own: in which round it last asked each of them, and which was the last whose
/// reply counted. A reply that comes too late, that is left out, or that belongs to a round that was abandoned afterwards does not count.
/// The clients take back such a change (PendingChange).
class CountedReplies {
 public:
  explicit CountedReplies(int num_clients)
      : asked_(static_cast<std::size_t>(num_clients)), counted_(static_cast<std::size_t>(num_clients)) {}

  /// Before an exchange: names in the request those of the cohort whose last reply did not count, and notes that all of it is asked.
  void ask(const Cohort& cohort, std::uint32_t round, Request& request);
  /// After the exchange: the clients whose replies went into the server's state.
  void count(const Cohort& cohort, std::uint32_t round);

  void save(Record& state) const;
  /// Takes all replies as counted where the state is of before there were these numbers. Throws Error unless they are as many.
  void load(const Record& state);

 private:
  std::vector<std::int64_t> asked_;    ///< round [n]; 0: never
  std::vector<std::int64_t> counted_;  ///< round [n]; 0: none
};

}  // namespace paretofl
