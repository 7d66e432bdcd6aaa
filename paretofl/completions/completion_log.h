#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "paretofl/completions/reward_questions.h"
#include "paretofl/language/causal_lm.h"

namespace paretofl {

/// Which completions of a training are logged.
struct CompletionLogOptions {
  std::int64_t every = 0;       ///< rounds between rounds of which completions are logged; 0: none
  std::int64_t per_client = 4;  ///< at most so many of a client in such a round
};

/// Some of the completions that clients draw when they train, kept until the end of the round. Safe to share between threads.
class CompletionLog {
 public:
  explicit CompletionLog(const CompletionLogOptions& options) : options_(options) {}

  bool logs(std::uint32_t round) const { return options_.every > 0 && round % options_.every == 0; }
  /// Takes completions [B] of prompts [B] with rewards [B, K], row-major, if they are the client's first in a round that is logged: as many
  /// as it may, spread evenly over them, so that they are of different prompts.
  void note(std::uint32_t round, int client, const RewardQuestions& questions, std::span<const std::size_t> prompts,
            std::span<const Completion> completions, std::span<const double> rewards);
  /// What clients have drawn in a round, in the order of their ids: {"round": .., "client": .., "task": .., "prompt": .., "completion": ..,
  /// "rewards": {name: ..}} on lines of JSON. Forgets it, and all of earlier rounds.
  std::string take(std::uint32_t round);

 private:
  CompletionLogOptions options_;
  std::mutex mutex_;
  std::map<std::uint32_t, std::map<int, std::string>> lines_;  // by round and client
};

}  // namespace paretofl
