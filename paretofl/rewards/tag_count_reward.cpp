#include "paretofl/rewards/tag_count_reward.h"

namespace paretofl {

TagCountReward::TagCountReward(Options options) : options_(std::move(options)) { options_.check("tag_count"); }

std::vector<double> TagCountReward::scores(std::span<const Answer> answers) const {
  const auto tags = options_.tags();
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    double once = 0;
    for (const std::string& tag : tags) once += occurrences(answer.completion, tag) == 1 ? 1 : 0;
    scores.push_back(once / static_cast<double>(tags.size()));
  }
  return scores;
}

}  // namespace paretofl
