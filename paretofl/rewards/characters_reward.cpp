#include "paretofl/rewards/characters_reward.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

void CharactersReward::Options::describe(OptionVisitor& visit) { visit.text("set", set, "the characters to count"); }

CharactersReward::CharactersReward(Options options) : options_(std::move(options)) {
  expect(!options_.set.empty(), "characters: expected a set of characters, found an empty text");
}

std::vector<double> CharactersReward::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    const std::string& text = answer.completion;
    const auto inside = std::count_if(text.begin(), text.end(), [this](char c) { return options_.set.find(c) != std::string::npos; });
    scores.push_back(text.empty() ? 0 : static_cast<double>(inside) / static_cast<double>(text.size()));
  }
  return scores;
}

}  // namespace paretofl
