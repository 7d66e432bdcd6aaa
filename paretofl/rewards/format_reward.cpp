#include "paretofl/rewards/format_reward.h"

#include "paretofl/rewards/answer_text.h"

namespace paretofl {

FormatReward::FormatReward(Options options) : options_(std::move(options)) { options_.check("format"); }

std::vector<double> FormatReward::scores(std::span<const Answer> answers) const {
  const auto [think, end_think, answer, end_answer] = options_.tags();
  std::vector<double> scores;
  for (const Answer& judged : answers) {
    const std::string_view text = trimmed(judged.completion);
    bool formatted = text.starts_with(think) && text.ends_with(end_answer);
    for (const std::string& tag : {think, end_think, answer, end_answer}) formatted = formatted && occurrences(text, tag) == 1;
    if (formatted) {
      const std::size_t end = text.find(end_think) + end_think.size();
      const std::size_t begin = text.find(answer);
      formatted = end <= begin && trimmed(text.substr(end, begin - end)).empty();
    }
    scores.push_back(formatted ? 1 : 0);
  }
  return scores;
}

}  // namespace paretofl
