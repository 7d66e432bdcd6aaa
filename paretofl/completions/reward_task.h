#pragma once

#include <memory>
#include <vector>

#include "paretofl/alignment/completion_task.h"
#include "paretofl/completions/stop_strings.h"
#include "paretofl/data/prompt_set.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// Prompts whose completions are judged as texts by one reward per objective.
class RewardTask : public CompletionTask {
 public:
  RewardTask(std::vector<Prompt> prompts, std::vector<std::shared_ptr<const Reward>> rewards, std::shared_ptr<const Tokenizer> tokenizer,
             StopStrings stop_strings = {});

  std::size_t num_objectives() const override { return rewards_.size(); }
  std::size_t num_prompts() const override { return prompts_.size(); }
  const TokenIds& prompt(std::size_t index) const override { return prompts_[index].ids; }
  std::vector<double> rewards(std::span<const std::size_t> prompts, std::span<const Completion> completions) const override;

  /// The text of a completion of a prompt, as rewards read it: up to a stop string, and behind a dialogue that a chat template put to the
  /// model with the space that its form has in front of an answer.
  std::string answer(std::size_t prompt, const Completion& completion) const;
  const std::vector<Prompt>& prompts() const { return prompts_; }
  const std::string& text(std::size_t index) const { return prompts_[index].text; }
  /// How many of the prompts come from a source.
  std::size_t count_of_source(std::uint32_t source) const;

 private:
  std::vector<Prompt> prompts_;
  std::vector<std::shared_ptr<const Reward>> rewards_;  // [M]
  std::shared_ptr<const Tokenizer> tokenizer_;
  StopStrings stop_strings_;
};

}  // namespace paretofl
