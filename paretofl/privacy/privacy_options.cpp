#include "paretofl/privacy/privacy_options.h"

#include <fmt/format.h>

#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/privacy/masked_client.h"
#include "paretofl/privacy/plain_summation.h"
#include "paretofl/privacy/privacy_accountant.h"
#include "paretofl/privacy/private_failures.h"
#include "paretofl/privacy/secure_summation.h"
#include "paretofl/secure_sums/secret_shares.h"

namespace paretofl {
namespace {

std::vector<std::size_t> sizes_of(const Layout& layout) {
  std::vector<std::size_t> sizes;
  for (const Slice& slice : layout.slices()) sizes.push_back(slice.range.size());
  return sizes;
}

}  // namespace

void PrivacyOptions::describe(OptionVisitor& visit) {
  visit.boolean("secure_aggregation", secure_aggregation, "the server sees masked values and sums over the cohort alone");
  visit.real("threshold", threshold, 0, 1, "share of a client's neighbours that must stay to the end of a secure sum; more than a half");
  visit.integer("neighbours", neighbours, 2, kMostShares - 1,
                "with how many others a client masks, an even number; with all where there are fewer");
  visit.integer("bits", bits, 1, 52, "binary digits after the point of what is summed");
  release.describe(visit);
  example.describe(visit);
}

void PrivacyOptions::check() const {
  expect(threshold > 0.5, "privacy.threshold: expected more than 0.5, found {}", threshold);
  expect(neighbours % 2 == 0, "privacy.neighbours: expected an even number, found {}", neighbours);
  const PrivacyOptions usual;
  expect(secure_aggregation || (threshold == usual.threshold && neighbours == usual.neighbours),
         "privacy.secure_aggregation: expected true with privacy.threshold or privacy.neighbours, which are of secure sums, found false");
  release.check();
  example.check();
  expect(
      !secure_aggregation || !release.poisson(),
      "privacy.sampling: expected fixed_size with privacy.secure_aggregation, where each client adds a part of the noise, so that its size "
      "would tell how many were drawn; found poisson");
  expect(!release.noisy() || !example.noisy(),
         "privacy.example_noise_multiplier: expected 0 with privacy.noise_multiplier, since a run has one epsilon, found {}",
         example.noise_multiplier);
  expect(!example.clips() || release.clip_losses > 0, "privacy.clip_losses: expected a positive number with privacy.example_clip, found {}",
         release.clip_losses);
  expect(release.budget == 0 || release.noisy() || example.noisy(),
         "privacy.budget: expected 0 without privacy.noise_multiplier or privacy.example_noise_multiplier, found {}", release.budget);
  expect(!example.noisy() || (release.delta >= kMinDelta && release.delta < 1),
         "privacy.delta: expected a number from {} to below 1, found {}", kMinDelta, release.delta);
}

Releases PrivacyOptions::releases(std::size_t clients, const Layout& layout, const Secret& key, std::uint64_t start) const {
  return {release, FixedPoint(static_cast<int>(bits), clients), sizes_of(layout), key, start};
}

std::unique_ptr<Summation> PrivacyOptions::summation(Releases& releases) const {
  if (secure_aggregation) {
    return std::make_unique<SecureSummation>(SecureSumOptions{threshold, static_cast<std::size_t>(neighbours)}, releases);
  }
  if (release.clips()) return std::make_unique<PlainSummation>(releases);
  return nullptr;
}

ClientFactory PrivacyOptions::protect(ClientFactory factory, std::size_t clients, const Layout& layout,
                                      std::function<Secret(int client)> root) const {
  if (secure_aggregation) {
    factory = with_masking(std::move(factory), {FixedPoint(static_cast<int>(bits), clients), release, sizes_of(layout), threshold},
                           std::move(root));
  }
  return secure_aggregation || noisy() ? with_private_failures(std::move(factory)) : factory;
}

Secret simulated_noise_key(std::uint64_t seed) { return Secret().derive(fmt::format("server of a simulation with seed {}", seed)); }

std::function<Secret(int client)> simulated_secrets(std::uint64_t seed) {
  return [seed](int client) { return Secret().derive(fmt::format("client {} of a simulation with seed {}", client, seed)); };
}

}  // namespace paretofl
