#include "paretofl/tokenizers/split.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

struct Part {
  TextRange range;
  bool match = false;
};

/// Each match joins the part before it, where that is none.
std::vector<TextRange> joined(const std::vector<Part>& parts) {
  std::vector<TextRange> result;
  bool match_before = false;
  for (const auto& [range, match] : parts) {
    if (match && !match_before && !result.empty()) {
      result.back() = {std::min(result.back().begin, range.begin), std::max(result.back().end, range.end)};
    } else {
      result.push_back(range);
    }
    match_before = match;
  }
  return result;
}

}  // namespace

SplitBehavior parse_split_behavior(std::string_view name, const std::string& where) {
  if (name == "Removed") return SplitBehavior::kRemoved;
  if (name == "Isolated") return SplitBehavior::kIsolated;
  if (name == "MergedWithPrevious") return SplitBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehavior::kMergedWithNext;
  if (name == "Contiguous") return SplitBehavior::kContiguous;
  throw Error(fmt::format("{}: behavior: expected Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous, found '{}'", where,
                          shown(name)));
}

std::vector<TextRange> split_at(std::string_view text, const std::vector<TextRange>& matches, SplitBehavior behavior, bool invert) {
  std::vector<Part> parts;
  std::size_t done = 0;
  for (const TextRange& match : matches) {
    if (match.begin > done) parts.push_back({{done, match.begin}, invert});
    parts.push_back({match, !invert});
    done = match.end;
  }
  if (done < text.size()) parts.push_back({{done, text.size()}, invert});

  std::vector<TextRange> result;
  switch (behavior) {
    case SplitBehavior::kRemoved:
      for (const Part& part : parts) {
        if (!part.match) result.push_back(part.range);
      }
      break;
    case SplitBehavior::kIsolated:
      for (const Part& part : parts) result.push_back(part.range);
      break;
    case SplitBehavior::kContiguous:
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0 && parts[i].match == parts[i - 1].match) {
          result.back().end = parts[i].range.end;
        } else {
          result.push_back(parts[i].range);
        }
      }
      break;
    case SplitBehavior::kMergedWithPrevious:
      result = joined(parts);
      break;
    case SplitBehavior::kMergedWithNext:
      std::reverse(parts.begin(), parts.end());
      result = joined(parts);
      std::reverse(result.begin(), result.end());
      break;
  }
  return result;
}

}  // namespace paretofl
