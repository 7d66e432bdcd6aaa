#include "paretofl/rewards/characters_reward.h"

#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"

namespace paretofl {

void CharactersReward::Options::describe(OptionVisitor& visit) { visit.text("set", set, "the characters to count"); }

CharactersReward::CharactersReward(Options options) : options_(std::move(options)) {
  expect(!options_.set.empty(), "characters: expected a set of characters, found an empty text");
  for (std::string_view rest = options_.set; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_size(rest));
    characters_.emplace(character);
    rest.remove_prefix(character.size());
  }
}

std::vector<double> CharactersReward::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    const std::string& text = answer.completion;
    std::size_t inside = 0;
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view character = rest.substr(0, first_size(rest));
      if (characters_.contains(character)) inside += character.size();
      rest.remove_prefix(character.size());
    }
    scores.push_back(text.empty() ? 0 : static_cast<double>(inside) / static_cast<double>(text.size()));
  }
  return scores;
}

}  // namespace paretofl
