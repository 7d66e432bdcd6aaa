#pragma once

#include <vector>

#include "paretofl/objectives/preference_distribution.h"

namespace paretofl {

/// The preferences of a workload's clients, each drawn from the client's own stream. Immutable.
class ClientPreferences {
 public:
  /// Throws Error if `distribution` is unknown or has no preference for one of the clients.
  ClientPreferences(const Component& distribution, std::size_t objectives, int clients, std::uint64_t seed);

  /// Throws Error unless 0 <= client < clients.
  const Preference& of(int client) const;

 private:
  std::vector<Preference> preferences_;
};

/// The option by which a workload lets its clients' preferences be chosen.
void describe_client_preferences(OptionVisitor& visit, Component& field);

}  // namespace paretofl
