#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "paretofl/core/reply.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

/// How some clients of a simulation lie, to try what protects from them. These clients are hostile.
struct Adversary {
  double share = 0;                                     ///< of all clients that are hostile
  std::function<void(Reply&)> alter = {};               ///< what a hostile client does to each of its answers; empty: nothing
  std::optional<std::int64_t> poisoned_objective = {};  ///< whose losses and gradients hostile clients negate
};

/// What every adversary asks about itself.
struct AdversaryOptions {
  double share = 0.2;

  void describe(OptionVisitor& visit);
};

struct ScaleOptions {
  AdversaryOptions base;
  double factor = 100;

  void describe(OptionVisitor& visit);
};

struct PoisonOptions {
  AdversaryOptions base;
  std::int64_t objective = 0;

  void describe(OptionVisitor& visit);
};

/// Every way to lie by name; "none" has no hostile clients.
Registry<Adversary(const Settings&)>& adversaries();

/// The adversary that a config names.
Adversary make_adversary(const Component& component);

}  // namespace paretofl
