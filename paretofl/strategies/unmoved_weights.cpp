#include "paretofl/strategies/unmoved_weights.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/standard_streams.h"

namespace paretofl {
namespace {

constexpr double kLeastMove = 1e-4;  // of a weight in a round; less is nothing in any run of practical length

}  // namespace

void UnmovedWeights::before_round() {
  if (frozen_.empty()) return;
  warn("warning: adaptive_weights: the rewards' weights stay as they start: {}", frozen_);
  frozen_.clear();
}

void UnmovedWeights::after_round(std::uint32_t round, const Metrics& metrics, const std::vector<std::string>& names, double reach) {
  if (!judges_) return;
  judges_ = false;
  double largest = 0;
  for (const std::string& name : names) {
    const auto found = metrics.values().find("hypergradient_" + name);
    const auto* mean = found == metrics.values().end() ? nullptr : std::get_if<double>(&found->second);
    if (mean != nullptr) largest = std::max(largest, std::abs(*mean) * reach);
  }
  if (largest >= kLeastMove) return;
  if (largest == 0) {
    return warn(
        "warning: round {}: adaptive_weights: the rewards' weights did not move, as all hypergradients are 0: no reward told completions "
        "of a prompt apart in two steps in a row",
        round);
  }
  warn(
      "warning: round {}: adaptive_weights: hypergradients move no reward's weight by more than {:.1e} in a round; raise "
      "strategy.hypergradient_rate, or set strategy.hypergradient to \"cosine\", which has no scale",
      round, largest);
}

}  // namespace paretofl
