#pragma once

#include <span>
#include <vector>

#include "paretofl/language/causal_lm.h"

namespace paretofl {

/// What a policy drew for one batch of prompts, as steps on it read it. B completions have N tokens in all.
struct DrawnCompletions {
  std::vector<TokenSequence> sequences;  ///< [B] prompts with their completions
  std::vector<std::size_t> begin = {0};  ///< [B + 1] of each completion's tokens among all N
  std::vector<double> logprobs;          ///< [N] when drawn
  std::vector<bool> stopped;             ///< [B] by a stop token; false: cut off by the longest length

  /// Takes the completions [B] of prompts [B].
  DrawnCompletions(std::vector<TokenIds> prompts, std::span<const Completion> completions);
  DrawnCompletions() = default;

  std::size_t tokens() const { return begin.back(); }
};

}  // namespace paretofl
