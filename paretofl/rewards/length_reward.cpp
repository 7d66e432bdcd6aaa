#include "paretofl/rewards/length_reward.h"

#include <algorithm>
#include <cmath>

#include "paretofl/text/words.h"

namespace paretofl {
namespace {

std::size_t characters(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins));
}

}  // namespace

void LengthReward::Options::describe(OptionVisitor& visit) {
  visit.integer("target", target, 0, kMaxInt, "length with the best score");
  visit.integer("tolerance", tolerance, 0, kMaxInt, "distance from the target that does not reduce the score");
  visit.integer("width", width, 1, kMaxInt, "beyond the tolerance, the score falls to 0 over this distance");
  visit.choice("unit", unit, {"characters", "words"}, "what is counted");
}

std::vector<double> LengthReward::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    const std::size_t length = options_.unit == "words" ? words_of(answer.completion).size() : characters(answer.completion);
    const double distance = std::abs(static_cast<double>(length) - static_cast<double>(options_.target));
    const double beyond = std::max(0.0, distance - static_cast<double>(options_.tolerance));
    scores.push_back(std::max(0.0, 1 - beyond / static_cast<double>(options_.width)));
  }
  return scores;
}

}  // namespace paretofl
