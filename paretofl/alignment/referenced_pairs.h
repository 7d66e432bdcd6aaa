#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "paretofl/alignment/token_pair.h"

namespace paretofl {

/// Log-probabilities of a pair's completions under an adapter; an empty one is the base model. Without dropout, and by a pass of its own,
/// so that they do not depend on other pairs.
PairLogprobs pair_logprobs(const CausalLm& model, const TokenPair& pair, std::span<const float> adapter);

/// Pairs with the log-probabilities of the reference, which is the base model without an adapter. Those of a pair are computed when they
/// are first asked for, and kept. May be shared between threads.
class ReferencedPairs {
 public:
  ReferencedPairs(std::shared_ptr<const CausalLm> model, std::vector<TokenPair> pairs);

  const CausalLm& model() const { return *model_; }
  std::size_t size() const { return pairs_.size(); }
  const TokenPair& pair(std::size_t index) const { return pairs_[index]; }
  PairLogprobs reference(std::size_t index) const;

 private:
  std::shared_ptr<const CausalLm> model_;
  std::vector<TokenPair> pairs_;
  /// [2, pairs] or NaN. Threads that compute the same ones at once write equal numbers.
  mutable std::vector<std::atomic<double>> chosen_;
  mutable std::vector<std::atomic<double>> rejected_;
};

}  // namespace paretofl
