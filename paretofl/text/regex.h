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

/// A regular expression over UTF-8 (PCRE2 with Unicode properties). \s is Unicode's White_Space, as in Oniguruma.
/// Immutable, and safe to share between threads.
class Regex {
 public:
  /// Throws Error with `where` in front on a pattern that cannot be compiled.
  Regex(const std::string& pattern, std::string where);

  /// All matches from left to right, without overlaps; an empty one never directly follows another. A byte that is not
  /// UTF-8 is part of no match. Throws Error where a match takes more steps than allowed.
  std::vector<TextRange> matches(std::string_view text) const;

 private:
  std::string where_;
  std::shared_ptr<void> code_;
};

}  // namespace paretofl
