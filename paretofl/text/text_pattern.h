#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "paretofl/text/json_object.h"
#include "paretofl/text/regex.h"

namespace paretofl {

/// What a tokenizer.json looks for in texts: {"String": ..} or {"Regex": ..}.
class TextPattern {
 public:
  explicit TextPattern(const JsonObject& json);
  explicit TextPattern(std::string literal) : literal_(std::move(literal)) {}

  /// All matches from left to right, without overlaps.
  std::vector<TextRange> matches(std::string_view text) const;

 private:
  std::string literal_;
  std::optional<Regex> regex_;
};

/// A text with every match of a pattern replaced.
std::string replaced(std::string_view text, const TextPattern& pattern, std::string_view content);

}  // namespace paretofl
