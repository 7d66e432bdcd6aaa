#include "paretofl/rewards/reasoning_tags.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

void ReasoningTags::describe(OptionVisitor& visit) {
  visit.text("reasoning", reasoning, "name of the tags around the reasoning");
  visit.text("answer", answer, "name of the tags around the answer");
}

void ReasoningTags::check(std::string_view reward) const {
  check_tag_name(reasoning, reward);
  check_tag_name(answer, reward);
  expect(reasoning != answer, "{}: expected different names of the reasoning's and the answer's tags, found '{}' for both", reward, answer);
}

std::array<std::string, 4> ReasoningTags::tags() const {
  return {"<" + reasoning + ">", "</" + reasoning + ">", "<" + answer + ">", "</" + answer + ">"};
}

void check_tag_name(std::string_view name, std::string_view reward) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  expect(!name.empty() && plain, "{}: expected a tag's name of letters, digits, _ and -, found '{}'", reward, name);
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace paretofl
