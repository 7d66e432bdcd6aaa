#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paretofl/tokenizers/prefix_trie.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// A token that is recognized as a whole before a text is cut into words, such as <|endoftext|>.
struct AddedToken {
  std::string content;
  TokenId id = 0;
  bool single_word = false;  ///< only where no letter, digit or underscore stands beside it
  bool lstrip = false;       ///< takes the white space before it along
  bool rstrip = false;       ///< and behind it
  bool normalized = false;   ///< looked for in the normalized text
  bool special = false;      ///< left out by decode where asked
  bool named = false;        ///< special because a config names it so
};

/// A part of a text: an added token, or what stands between two of them.
struct TextPart {
  std::string_view text;
  const AddedToken* token = nullptr;
};

/// Finds added tokens in a text: leftmost first, of those that begin at one place the longest, without overlaps.
/// Immutable, and safe to share between threads.
class AddedTokens {
 public:
  /// `spellings[i]` is how tokens[i] stands in the text; an empty one is not looked for. Tokens must outlive this.
  AddedTokens(const std::vector<AddedToken>& tokens, const std::vector<std::string>& spellings);

  /// The parts of a text in order, none of them empty.
  std::vector<TextPart> split(std::string_view text) const;

 private:
  const std::vector<AddedToken>& tokens_;
  PrefixTrie trie_;
};

}  // namespace paretofl
