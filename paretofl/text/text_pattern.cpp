#include "paretofl/text/text_pattern.h"

#include "paretofl/core/error.h"

namespace paretofl {

TextPattern::TextPattern(const JsonObject& json) {
  if (json.has("Regex")) {
    regex_.emplace(json.text("Regex"), json.where());
  } else {
    literal_ = json.text("String");
    expect(!literal_.empty(), "{}: expected a text to look for, found an empty one", json.where());
  }
}

std::vector<TextRange> TextPattern::matches(std::string_view text) const {
  if (regex_) return regex_->matches(text);
  std::vector<TextRange> result;
  for (std::size_t at = text.find(literal_); at != std::string_view::npos; at = text.find(literal_, at + literal_.size())) {
    result.push_back({at, at + literal_.size()});
  }
  return result;
}

std::string replaced(std::string_view text, const TextPattern& pattern, std::string_view content) {
  std::string result;
  std::size_t done = 0;
  for (const TextRange& match : pattern.matches(text)) {
    result += text.substr(done, match.begin - done);
    result += content;
    done = match.end;
  }
  return result += text.substr(done);
}

}  // namespace paretofl
