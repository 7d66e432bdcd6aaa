#include "paretofl/completions/reward_task.h"

#include <algorithm>
#include <cctype>

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/completion_text.h"

namespace paretofl {

RewardTask::RewardTask(std::vector<Prompt> prompts, std::vector<std::shared_ptr<const Reward>> rewards,
                       std::shared_ptr<const Tokenizer> tokenizer, StopStrings stop_strings)
    : prompts_(std::move(prompts)),
      rewards_(std::move(rewards)),
      tokenizer_(std::move(tokenizer)),
      stop_strings_(std::move(stop_strings)) {}

std::vector<double> RewardTask::rewards(std::span<const std::size_t> prompts, std::span<const Completion> completions) const {
  std::vector<Answer> answers;
  for (std::size_t b = 0; b < prompts.size(); ++b) {
    const Prompt& prompt = prompts_[prompts[b]];
    answers.push_back({prompt.text, answer(prompts[b], completions[b]), prompt.reference});
  }
  std::vector<double> rewards(answers.size() * rewards_.size());
  for (std::size_t k = 0; k < rewards_.size(); ++k) {
    const std::vector<double> scores = rewards_[k]->scores(answers);
    expect(scores.size() == answers.size(), "reward: expected {} scores, found {}", answers.size(), scores.size());
    for (std::size_t b = 0; b < scores.size(); ++b) rewards[b * rewards_.size() + k] = scores[b];
  }
  return rewards;
}

std::string RewardTask::answer(std::size_t prompt, const Completion& completion) const {
  std::string text = stop_strings_.in_front(completion_text(*tokenizer_, prompts_[prompt].ids, completion.ids));
  const bool has_space = text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0;
  return prompts_[prompt].in_template && !has_space ? " " + text : text;
}

std::size_t RewardTask::count_of_source(std::uint32_t source) const {
  return static_cast<std::size_t>(
      std::count_if(prompts_.begin(), prompts_.end(), [&](const Prompt& prompt) { return prompt.source == source; }));
}

}  // namespace paretofl
