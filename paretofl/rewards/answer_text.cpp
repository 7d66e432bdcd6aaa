#include "paretofl/rewards/answer_text.h"

#include <algorithm>
#include <string>

#include "paretofl/core/ascii.h"

namespace paretofl {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Where the argument of the last \boxed or \fbox begins, npos without one.
std::size_t after_last_box(std::string_view text) {
  std::size_t after = std::string_view::npos;
  for (const std::string_view command : {"\\boxed", "\\fbox"}) {
    std::size_t at = text.rfind(command);
    while (at != std::string_view::npos && at + command.size() < text.size() && is_letter(text[at + command.size()])) {
      at = at == 0 ? std::string_view::npos : text.rfind(command, at - 1);
    }
    if (at != std::string_view::npos && (after == std::string_view::npos || at + command.size() > after)) after = at + command.size();
  }
  return after;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::optional<std::string_view> tagged_text(std::string_view text, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::size_t at = text.rfind(open);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + open.size());
  return rest.substr(0, rest.find("</" + std::string(name) + ">"));
}

bool has_minus_before_tag(std::string_view text, std::string_view tagged, std::string_view name) {
  const std::string_view before = text.substr(0, static_cast<std::size_t>(tagged.data() - text.data()) - name.size() - 2);
  return (before.ends_with('-') && !before.ends_with("--")) || before.ends_with("\u2212");
}

std::optional<std::string_view> boxed_text(std::string_view text) {
  const std::size_t after = after_last_box(text);
  if (after == std::string_view::npos) return std::nullopt;
  const std::string_view rest = trimmed(text.substr(after));
  if (!rest.starts_with('{')) {
    const std::string_view bare = trimmed(rest.substr(0, rest.find_first_of("$\n")));
    return bare.empty() ? std::nullopt : std::optional(bare);
  }
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '\\') {
      ++i;
    } else if (rest[i] == '{') {
      ++depth;
    } else if (rest[i] == '}' && --depth == 0) {
      return rest.substr(1, i - 1);
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> boxed_texts(std::string_view text) {
  std::vector<std::string_view> boxes;
  std::vector<std::size_t> open;  // where the contents of open braces begin, kNoBox for those of no box
  constexpr std::size_t kNoBox = std::string_view::npos;
  std::size_t of_box = kNoBox;  // the brace that belongs to the box before it
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      for (const std::string_view command : {"\\boxed", "\\fbox"}) {
        if (text.substr(at).starts_with(command)) of_box = text.find_first_not_of(kBlanks, at + command.size());
      }
      ++at;
    } else if (text[at] == '{') {
      open.push_back(at == of_box ? at + 1 : kNoBox);
    } else if (text[at] == '}' && !open.empty()) {
      const std::size_t begin = open.back();
      open.pop_back();
      if (begin == kNoBox) continue;
      while (!boxes.empty() && boxes.back().data() > text.data() + begin) boxes.pop_back();
      boxes.push_back(text.substr(begin, at - begin));
    }
  }
  return boxes;
}

}  // namespace paretofl
