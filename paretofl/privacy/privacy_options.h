#pragma once

#include <functional>
#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/layout.h"
#include "paretofl/core/summation.h"
#include "paretofl/privacy/example_options.h"
#include "paretofl/privacy/release_options.h"
#include "paretofl/privacy/releases.h"
#include "paretofl/registry/options.h"
#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// What a run keeps from its server: the group `privacy` of a config.
struct PrivacyOptions {
  bool secure_aggregation = false;
  double threshold = 0.67;
  std::int64_t neighbours = 100;
  std::int64_t bits = 32;
  ReleaseOptions release = {};
  ExampleOptions example = {};

  void describe(OptionVisitor& visit);
  /// Throws Error, naming the option, unless they fit each other.
  void check() const;

  /// Whether there is noise, and so an epsilon.
  bool noisy() const { return release.noisy() || example.noisy(); }
  /// Whether a strategy gets sums over the cohort alone.
  bool sums_only() const { return secure_aggregation || release.clips(); }

  /// The sums that a run releases, over cohorts of at most `clients`, of updates with this layout. `key` is that of the server's noise,
  /// and `start` as PrivacyLedger says.
  Releases releases(std::size_t clients, const Layout& layout, const Secret& key, std::uint64_t start = 1) const;
  /// How the server gets them; null where it may see single replies.
  std::unique_ptr<Summation> summation(Releases& releases) const;
  /// The clients for that. `root` gives each a secret of its own.
  ClientFactory protect(ClientFactory factory, std::size_t clients, const Layout& layout, std::function<Secret(int client)> root) const;
};

/// Secrets that follow from a run's seed, for clients that are simulated and so have none.
std::function<Secret(int client)> simulated_secrets(std::uint64_t seed);
/// Likewise for the noise of a server in a simulation.
Secret simulated_noise_key(std::uint64_t seed);

}  // namespace paretofl
