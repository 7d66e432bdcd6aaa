#include "paretofl/workloads/client_preferences.h"

#include "paretofl/core/error.h"
#include "paretofl/parties/preference_file.h"

namespace paretofl {

ClientPreferences::ClientPreferences(const Component& distribution, std::size_t objectives, int clients, std::uint64_t seed,
                                     const std::optional<ProblemPart>& part) {
  if (part) {
    preferences_.resize(static_cast<std::size_t>(clients));
    if (!part->client) return;
    expect(*part->client >= 0 && *part->client < clients, "workload: expected a client below {}, found {}", clients, *part->client);
    preferences_[static_cast<std::size_t>(*part->client)] = read_preference(part->file(kPreferenceFile), objectives);
    return;
  }
  const auto drawn_from = make_preference_distribution(distribution);
  for (int i = 0; i < clients; ++i) {
    const auto client = static_cast<std::uint32_t>(i);
    Random random({seed, 0, client}, "preference");
    preferences_.emplace_back(
        drawn_from->draw({.objectives = objectives, .client = client, .clients = static_cast<std::size_t>(clients)}, random));
  }
}

const Preference& ClientPreferences::of(int client) const {
  const auto i = static_cast<std::size_t>(client);
  expect(client >= 0 && i < preferences_.size(), "workload: expected a client below {}, found {}", preferences_.size(), client);
  expect(preferences_[i].has_value(), "workload: expected a client whose preference this process has, found client {}", client);
  return *preferences_[i];
}

void ClientPreferences::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  if (client) write_preference(of(*client), folder / kPreferenceFile);
}

void describe_client_preferences(OptionVisitor& visit, Component& field) {
  visit.component("preferences", field, preference_distributions(), "where the clients' private preferences come from");
}

}  // namespace paretofl
