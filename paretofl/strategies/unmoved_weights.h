#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/core/metrics.h"

namespace paretofl {

/// Warns, once, where weights of rewards that should adapt do not: a run then looks like one with adaptive weights and is none.
class UnmovedWeights {
 public:
  /// `frozen` says why the weights can't move, and is empty where they can; with `judges` the first round is looked at.
  UnmovedWeights(std::string frozen, bool judges) : frozen_(std::move(frozen)), judges_(judges) {}

  void before_round();
  /// Looks at the mean hypergradients of a round's metrics ("hypergradient_<name>"); `reach` is by how much one of 1 moves a weight in a
  /// round: the rate times the steps that have one before them. Warns where no weight moves by 1e-4 or more.
  void after_round(std::uint32_t round, const Metrics& metrics, const std::vector<std::string>& names, double reach);
  /// A run that goes on was judged when it began, and its weights may have settled.
  void resume() { judges_ = false; }

 private:
  std::string frozen_;
  bool judges_;
};

}  // namespace paretofl
