#pragma once

#include <array>
#include <string>
#include <string_view>

#include "paretofl/registry/options.h"

namespace paretofl {

/// The tags of a completion that first reasons and then answers: <think> ... </think> <answer> ... </answer>.
struct ReasoningTags {
  std::string reasoning = "think";
  std::string answer = "answer";

  void describe(OptionVisitor& visit);
  /// Throws Error on names that cannot be names of tags, or are equal; its text begins with the reward's name.
  void check(std::string_view reward) const;

  /// The four tags in order.
  std::array<std::string, 4> tags() const;
};

/// Throws Error unless a tag's name is letters, digits, _ and -.
void check_tag_name(std::string_view name, std::string_view reward);

/// How often `part`, which is not empty, occurs in a text, without overlap.
std::size_t occurrences(std::string_view text, std::string_view part);

}  // namespace paretofl
