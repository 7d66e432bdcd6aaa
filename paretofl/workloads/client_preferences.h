#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "paretofl/objectives/preference_distribution.h"
#include "paretofl/parties/problem_part.h"

namespace paretofl {

/// The preferences of a workload's clients, each drawn from the client's own stream, or the one that a party's folder holds. Immutable.
class ClientPreferences {
 public:
  /// Throws Error if `distribution` is unknown or has no preference for one of the clients. With a part, nothing is drawn: a client's
  /// is read from its folder, and the server has none.
  ClientPreferences(const Component& distribution, std::size_t objectives, int clients, std::uint64_t seed,
                    const std::optional<ProblemPart>& part = {});

  /// Throws Error unless 0 <= client < clients and its preference is known here.
  const Preference& of(int client) const;
  /// Writes a client's into its folder; nothing for the server.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const;

 private:
  std::vector<std::optional<Preference>> preferences_;  // [clients]
};

/// The option by which a workload lets its clients' preferences be chosen.
void describe_client_preferences(OptionVisitor& visit, Component& field);

}  // namespace paretofl
