#include "paretofl/privacy/privacy_options.h"

#include <fmt/format.h>

#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/privacy/masked_client.h"
#include "paretofl/privacy/secret_shares.h"
#include "paretofl/privacy/secure_summation.h"

namespace paretofl {

void PrivacyOptions::describe(OptionVisitor& visit) {
  visit.boolean("secure_aggregation", secure_aggregation, "the server sees masked values and sums over the cohort alone");
  visit.real("threshold", threshold, 0, 1, "share of a client's neighbours that must stay to the end of a secure sum; more than a half");
  visit.integer("neighbours", neighbours, 2, kMostShares - 1,
                "with how many others a client masks, an even number; with all where there are fewer");
  visit.integer("bits", bits, 1, 52, "binary digits after the point of what is summed");
}

void PrivacyOptions::check() const {
  expect(threshold > 0.5, "privacy.threshold: expected more than 0.5, found {}", threshold);
  expect(neighbours % 2 == 0, "privacy.neighbours: expected an even number, found {}", neighbours);
}

std::unique_ptr<Summation> PrivacyOptions::summation(std::size_t clients) const {
  if (!secure_aggregation) return nullptr;
  return std::make_unique<SecureSummation>(SecureSumOptions{threshold, static_cast<std::size_t>(neighbours)}, static_cast<int>(bits),
                                           clients);
}

ClientFactory PrivacyOptions::protect(ClientFactory factory, std::size_t clients, std::function<Secret(int client)> root) const {
  if (!secure_aggregation) return factory;
  return with_masking(std::move(factory), static_cast<int>(bits), clients, std::move(root));
}

std::function<Secret(int client)> simulated_secrets(std::uint64_t seed) {
  return [seed](int client) { return Secret().derive(fmt::format("client {} of a simulation with seed {}", client, seed)); };
}

}  // namespace paretofl
