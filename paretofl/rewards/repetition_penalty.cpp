#include "paretofl/rewards/repetition_penalty.h"

#include <set>

#include "paretofl/text/words.h"

namespace paretofl {
namespace {

double repeated_share(std::string_view text, std::size_t n) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() < n) return 0;
  const std::size_t count = words.size() - n + 1;
  std::set<std::vector<std::string_view>> distinct;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(i);
    distinct.emplace(first, first + static_cast<std::ptrdiff_t>(n));
  }
  return 1 - static_cast<double>(distinct.size()) / static_cast<double>(count);
}

}  // namespace

void RepetitionPenalty::Options::describe(OptionVisitor& visit) { visit.integer("n", n, 1, 16, "number of words in a group"); }

std::vector<double> RepetitionPenalty::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) scores.push_back(-repeated_share(answer.completion, static_cast<std::size_t>(options_.n)));
  return scores;
}

}  // namespace paretofl
