#pragma once

#include <memory>
#include <span>
#include <vector>

#include "paretofl/registry/registry.h"

namespace paretofl {

using Vectors = std::span<const std::span<const float>>;

/// Combines the vectors of n clients, such as their updates, into one. It works ACROSS CLIENTS and never sees an objective. The result does
/// not depend on the order of the clients, but for rounding. Thread-safe.
class Aggregator {
 public:
  virtual ~Aggregator() = default;

  /// The combination [d] of `vectors` [n], each [d] and finite, with n >= fewest(); `shares` [n] are positive, sum to 1 and say how much
  /// each client counts, where the rule heeds them: clients state their sample counts themselves.
  virtual std::vector<float> combine(Vectors vectors, std::span<const double> shares) const = 0;

  /// The smallest n that the rule is defined for.
  virtual std::size_t fewest() const { return 1; }

  /// Whether it is the weighted mean, which needs no more than a sum.
  virtual bool is_mean() const { return false; }
};

/// Aggregators by name. Each rule's header says what bad clients can do to it.
Registry<std::unique_ptr<Aggregator>(const Settings&)>& aggregators();

/// The aggregator that a config names.
std::unique_ptr<Aggregator> make_aggregator(const Component& component);

}  // namespace paretofl
