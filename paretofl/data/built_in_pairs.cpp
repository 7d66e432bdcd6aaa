#include "paretofl/data/built_in_pairs.h"

#include <string>

#include "paretofl/data/prompt_set.h"

namespace paretofl {
namespace {

std::string answer(bool polite, bool brief) {
  return std::string(polite ? " Thanks, " : " No, ") + (brief ? "it is here." : "it is here and there and here again.");
}

}  // namespace

std::vector<DimensionPair> built_in_pairs() {
  std::vector<DimensionPair> pairs;
  std::size_t number = 0;
  for (const std::string& prompt : built_in_prompt_texts()) {
    // Four requests in turn ask for each thing; all of a thing are of one kind.
    const std::size_t kind = number / 4 % 4;
    const bool conflict = kind == 3;
    const bool shared = kind == 1;  // what the answers have in common where only one thing differs
    pairs.push_back({"brief", prompt, answer(conflict ? false : shared, true), answer(conflict ? true : shared, false), true});
    pairs.push_back({"polite", prompt, answer(true, conflict ? false : shared), answer(false, conflict ? true : shared), true});
    ++number;
  }
  return pairs;
}

}  // namespace paretofl
