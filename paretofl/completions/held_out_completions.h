#pragma once

#include <span>
#include <string>
#include <vector>

#include "paretofl/completions/language_base.h"
#include "paretofl/completions/reward_task.h"

namespace paretofl {

/// Completions of one batch of a task's prompts.
struct CompletedBatch {
  std::vector<std::size_t> prompts;
  std::vector<Completion> completions;
};

/// In how many batches prompts are evaluated: of a fixed size, so that results do not depend on the threads they run on.
std::size_t evaluation_batches(std::size_t prompts);

/// Completes batch `batch` of the task's prompts with theta [d]; it draws from random.substream("batch", batch).
CompletedBatch complete_batch(const CausalLm& model, const CompletionTask& task, std::size_t batch, std::span<const float> theta,
                              const Sampling& sampling, GenerationExtras extras, const Random& random);

/// The task's first eight prompts with a completion and its rewards, each {"prompt": .., "completion": .., "reward": {name:
/// ..}} on a line of JSON; `names` [K] are those of the task's rewards.
std::string example_completions(const LanguageBase& base, const RewardTask& task, std::span<const std::string> names,
                                std::span<const float> theta, const Sampling& sampling, const Random& random);

}  // namespace paretofl
