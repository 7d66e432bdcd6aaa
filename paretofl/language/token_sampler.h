#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// log sum_i e^(factor logits_i). Throws Error unless it is finite.
double log_sum_exp(std::span<const float> logits, double factor = 1);

/// Draws tokens from logits. The distribution is softmax(logits / temperature), cut to the top_k most probable tokens, then
/// to the fewest of those that hold top_p of their probability (Holtzman et al. 2020), then to those with at least min_p times the
/// probability of the most probable one (Nguyen et al. 2025); of tokens equally probable the one with the lower id comes first. With u
/// uniform in [0, 1), the token drawn is the first in order of id at which the sum of probabilities exceeds u. Not for several threads at
/// once.
class TokenSampler {
 public:
  /// Throws Error on impossible options.
  explicit TokenSampler(const Sampling& sampling);

  /// Temperature 0 draws no number.
  TokenId draw(std::span<const float> logits, Random& random);

 private:
  void cut(std::size_t tokens);
  void cut_by_rank(std::size_t tokens);

  double temperature_;
  std::size_t top_k_;
  double top_p_;
  double min_p_;
  std::vector<float> odds_;  // [V] probabilities up to a factor, 0 where cut off
  std::vector<TokenId> order_;
};

}  // namespace paretofl
