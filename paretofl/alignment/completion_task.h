#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/language/causal_lm.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// What a client's language model is trained on: its prompts, and the rewards of M objectives that it gives completions.
/// Immutable, and safe to share between threads.
class CompletionTask {
 public:
  virtual ~CompletionTask() = default;

  virtual std::size_t num_objectives() const = 0;  ///< M
  virtual std::size_t num_prompts() const = 0;
  virtual const TokenIds& prompt(std::size_t index) const = 0;
  /// Rewards [B, M], row-major, of completions [B] of the prompts named.
  virtual std::vector<double> rewards(std::span<const std::size_t> prompts, std::span<const Completion> completions) const = 0;
};

}  // namespace paretofl
