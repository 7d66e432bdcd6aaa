#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A rule of a Charsmap: how many bytes it replaces, and by what.
struct CharsmapRule {
  std::size_t size = 0;
  std::string_view replacement;
};

/// The normalization rules that SentencePiece compiles into its models: a double-array trie (as by the library
/// Darts-clone) of what is replaced, and the replacements. Immutable, and safe to share between threads.
class Charsmap {
 public:
  Charsmap() = default;
  /// Of a model's bytes; none are no rules. Throws Error, beginning with `where`, if the trie doesn't fit them.
  Charsmap(std::string_view bytes, const std::string& where);

  bool empty() const { return units_.empty(); }
  /// Of the rules that a text begins with, the shortest or the longest.
  std::optional<CharsmapRule> shortest(std::string_view text) const { return find(text, true); }
  std::optional<CharsmapRule> longest(std::string_view text) const { return find(text, false); }

 private:
  std::optional<CharsmapRule> find(std::string_view text, bool shortest) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;  ///< each ends with a zero byte
};

}  // namespace paretofl
