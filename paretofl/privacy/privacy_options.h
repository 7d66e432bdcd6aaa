#pragma once

#include <functional>
#include <memory>

#include "paretofl/core/client.h"
#include "paretofl/core/summation.h"
#include "paretofl/privacy/secret.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// What a run keeps from its server: the group `privacy` of a config.
struct PrivacyOptions {
  bool secure_aggregation = false;
  double threshold = 0.67;
  std::int64_t neighbours = 100;
  std::int64_t bits = 32;

  void describe(OptionVisitor& visit);
  /// Throws Error, naming the option, unless they fit each other.
  void check() const;

  /// How the server sums over cohorts of at most `clients`; null where it may see single replies.
  std::unique_ptr<Summation> summation(std::size_t clients) const;
  /// The clients for that. `root` gives each a secret of its own.
  ClientFactory protect(ClientFactory factory, std::size_t clients, std::function<Secret(int client)> root) const;
};

/// Secrets that follow from a run's seed, for clients that are simulated and so have none.
std::function<Secret(int client)> simulated_secrets(std::uint64_t seed);

}  // namespace paretofl
