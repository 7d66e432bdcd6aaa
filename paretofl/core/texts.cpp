#include "paretofl/core/texts.h"

namespace paretofl {

std::optional<TextDifference> first_difference(const Texts& first, const Texts& second) {
  Texts all = first;
  all.insert(second.begin(), second.end());
  const auto text_in = [](const Texts& texts, const std::string& name) {
    const auto found = texts.find(name);
    return found == texts.end() ? "absent" : found->second;
  };
  for (const auto& [name, text] : all) {
    TextDifference difference{name, text_in(first, name), text_in(second, name)};
    if (difference.first != difference.second) return difference;
  }
  return {};
}

}  // namespace paretofl
