#pragma once

#include <cstddef>
#include <vector>

#include "paretofl/core/reply.h"

namespace paretofl {

/// The clients that take part in a round, by ascending id.
struct Cohort {
  std::vector<int> clients;
  std::size_t sampled = 0;  ///< how many were drawn, before any failed

  std::size_t size() const { return clients.size(); }
};

/// The replies of those who answered, by ascending client id.
struct Replies {
  std::vector<Reply> replies;
  std::size_t sampled = 0;

  std::size_t size() const { return replies.size(); }
  auto begin() const { return replies.begin(); }
  auto end() const { return replies.end(); }
  auto begin() { return replies.begin(); }
  auto end() { return replies.end(); }

  /// Those who answered, for the next exchange of the round.
  Cohort cohort() const {
    Cohort cohort{{}, sampled};
    for (const Reply& reply : replies) cohort.clients.push_back(reply.client);
    return cohort;
  }
};

}  // namespace paretofl
