#include "paretofl/completions/completion_log.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace paretofl {

void CompletionLog::note(std::uint32_t round, int client, const RewardQuestions& questions, std::span<const std::size_t> prompts,
                         std::span<const Completion> completions, std::span<const double> rewards) {
  if (!logs(round)) return;
  {
    const std::lock_guard lock(mutex_);
    if (lines_[round].contains(client)) return;
  }
  std::string lines;
  const std::vector<std::string>& names = questions.reward_names();
  const std::size_t count = std::min(completions.size(), static_cast<std::size_t>(options_.per_client));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t b = i * completions.size() / count;
    nlohmann::ordered_json scores = nlohmann::ordered_json::object();
    for (std::size_t k = 0; k < names.size(); ++k) scores[names[k]] = rewards[b * names.size() + k];
    const nlohmann::ordered_json line{{"round", round},
                                      {"client", client},
                                      {"task", questions.label()},
                                      {"prompt", questions.texts().text(prompts[b])},
                                      {"completion", questions.texts().answer(prompts[b], completions[b])},
                                      {"rewards", std::move(scores)}};
    lines += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }
  const std::lock_guard lock(mutex_);
  lines_[round].emplace(client, std::move(lines));
}

std::string CompletionLog::take(std::uint32_t round) {
  const std::lock_guard lock(mutex_);
  std::string all;
  if (const auto found = lines_.find(round); found != lines_.end()) {
    for (const auto& [client, lines] : found->second) all += lines;
  }
  lines_.erase(lines_.begin(), lines_.upper_bound(round));
  return all;
}

}  // namespace paretofl
