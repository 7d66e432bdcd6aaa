#include "paretofl/rounds/unmoved_weights.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/standard_streams.h"

namespace paretofl {
namespace {

constexpr double kLeastMove = 1e-4;  // of a weight in a round; less is nothing in any run of practical length

/// Of two lists of the same length, each in ascending order.
double largest_difference(std::vector<double>& a, std::vector<double>& b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

void UnmovedWeights::before_round() {
  if (frozen_.empty()) return;
  warn("warning: adaptive_weights: the rewards' weights stay as they start: {}", frozen_);
  frozen_.clear();
}

void UnmovedWeights::after_round(std::uint32_t round, std::vector<Client> clients, double reach) {
  std::erase_if(clients, [](const Client& client) { return client.start.size() < 2; });
  if (!judges_ || clients.empty()) return;
  judges_ = false;
  double moved = 0, hypergradient = 0;
  for (Client& client : clients) {
    moved = std::max(moved, largest_difference(client.start, client.end));
    for (const double delta : client.hypergradients) hypergradient = std::max(hypergradient, std::abs(delta));
  }
  if (moved >= kLeastMove) return;
  if (hypergradient == 0) {
    return warn(
        "warning: round {}: adaptive_weights: the rewards' weights did not move, as all hypergradients are 0: no reward told completions "
        "of a prompt apart in two steps in a row",
        round);
  }
  if (hypergradient * reach >= kLeastMove) {
    return warn(
        "warning: round {}: adaptive_weights: no reward's weight moved by more than {:.1e} in a round, although hypergradients are not "
        "small: those of a client's rewards are alike, or push weights of 0 down, which the projection on the simplex undoes",
        round, moved);
  }
  warn(
      "warning: round {}: adaptive_weights: hypergradients move no reward's weight by more than {:.1e} in a round; raise "
      "strategy.hypergradient_rate, or set strategy.hypergradient to \"cosine\", which has no scale",
      round, moved);
}

}  // namespace paretofl
