#include "paretofl/rewards/length_reward.h"

#include <algorithm>
#include <cmath>

namespace paretofl {

void LengthReward::Options::describe(OptionVisitor& visit) {
  visit.integer("target", target, 0, kMaxInt, "best length in characters");
  visit.integer("width", width, 1, kMaxInt, "distance from it that earns nothing");
}

std::vector<double> LengthReward::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    const auto bytes = static_cast<double>(answer.completion.size());
    const double length = bytes - static_cast<double>(std::count_if(answer.completion.begin(), answer.completion.end(), continues));
    scores.push_back(std::max(0.0, 1 - std::abs(length - static_cast<double>(options_.target)) / static_cast<double>(options_.width)));
  }
  return scores;
}

}  // namespace paretofl
