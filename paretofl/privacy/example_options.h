#pragma once

#include "paretofl/registry/options.h"

namespace paretofl {

/// How the gradients of a client's minibatches hide its single examples (DP-SGD): keys of the group `privacy` of a config that begin with
/// `example_`.
struct ExampleOptions {
  double clip = 0;
  double noise_multiplier = 0;
  double rate = 0;

  void describe(OptionVisitor& visit);
  /// Throws Error, naming the option, unless they fit each other.
  void check() const;

  bool clips() const { return clip > 0; }
  bool noisy() const { return noise_multiplier > 0; }
};

}  // namespace paretofl
