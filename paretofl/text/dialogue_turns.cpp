#include "paretofl/text/dialogue_turns.h"

#include <algorithm>

namespace paretofl {
namespace {

constexpr std::string_view kHuman = "\n\nHuman:";
constexpr std::string_view kAssistant = "\n\nAssistant:";

std::string without_white_space_around(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kWhite);
  return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin, text.find_last_not_of(kWhite) - begin + 1));
}

/// Where the next turn begins, at `from` or behind it; the end of the text where none does.
std::size_t next_turn(std::string_view text, std::size_t from) {
  return std::min({text.find(kHuman, from), text.find(kAssistant, from), text.size()});
}

}  // namespace

std::vector<ChatMessage> dialogue_turns(std::string_view dialogue) {
  std::size_t begin = next_turn(dialogue, 0);
  if (begin == dialogue.size()) return {{"user", without_white_space_around(dialogue)}};
  std::vector<ChatMessage> turns;
  if (std::string system = without_white_space_around(dialogue.substr(0, begin)); !system.empty()) {
    turns.push_back({"system", std::move(system)});
  }
  while (begin < dialogue.size()) {
    const bool human = dialogue.substr(begin).starts_with(kHuman);
    const std::size_t text = begin + (human ? kHuman : kAssistant).size();
    const std::size_t end = next_turn(dialogue, text);
    std::string content = without_white_space_around(dialogue.substr(text, end - text));
    if (human || end < dialogue.size() || !content.empty()) turns.push_back({human ? "user" : "assistant", std::move(content)});
    begin = end;
  }
  return turns;
}

std::string_view later_turns(std::string_view dialogue) {
  const std::size_t first = dialogue.find(kHuman);
  const std::size_t second = first == std::string_view::npos ? first : dialogue.find(kHuman, first + kHuman.size());
  return second == std::string_view::npos ? std::string_view() : dialogue.substr(second);
}

}  // namespace paretofl
