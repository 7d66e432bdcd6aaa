#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paretofl/text/regex.h"

namespace paretofl {

/// What becomes of the matches that a text is split at.
enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };

/// The behavior of a name such as "Isolated"; throws Error, beginning with `where`, on an unknown one.
SplitBehavior parse_split_behavior(std::string_view name, const std::string& where);

/// The parts of a text that matches in order, without overlaps, split it into. With `invert`, what lies between the
/// matches is what counts as a match.
std::vector<TextRange> split_at(std::string_view text, const std::vector<TextRange>& matches, SplitBehavior behavior, bool invert = false);

}  // namespace paretofl
