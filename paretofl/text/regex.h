#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A part of a text, in bytes.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// A regular expression over UTF-8, in the default syntax of Oniguruma: the library that published tokenizers' patterns are written for.
/// Immutable, and safe to share between threads.
class Regex {
 public:
  /// Throws Error beginning with `where` on a pattern that cannot be compiled.
  Regex(const std::string& pattern, std::string where);

  /// All matches from left to right, without overlaps; an empty one never directly follows another. A byte that is not
  /// UTF-8 is part of no match, and what lies before and behind it are texts of their own, for anchors too. Throws Error if a search
  /// takes more steps, or a match a deeper stack, than allowed.
  std::vector<TextRange> matches(std::string_view text) const;

 private:
  void append_matches(std::string_view text, std::size_t offset, std::vector<TextRange>& result) const;

  std::string where_;
  std::shared_ptr<void> code_;
};

}  // namespace paretofl
