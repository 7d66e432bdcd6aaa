#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "paretofl/tokenizers/vocabulary.h"

namespace paretofl {

/// A set of texts, each with a number, that finds which of them another text begins with. Immutable, and safe to share
/// between threads.
class PrefixTrie {
 public:
  using Entry = std::pair<std::string_view, std::int32_t>;

  /// Entries in any order, none empty; of equal ones the last counts.
  explicit PrefixTrie(std::vector<Entry> entries);

  /// Bytes of the longest entry that a text begins with; 0 if there is none.
  std::size_t longest(std::string_view text) const;

  /// Where a walk along a text stands.
  class Walk {
   public:
    explicit Walk(const PrefixTrie& trie) : trie_(trie) {}
    /// Takes one more byte: false where no entry continues with it.
    bool step(char byte);
    /// The number of the entry that ends here; -1 if none does.
    std::int32_t number() const { return trie_.nodes_[node_].number; }

   private:
    const PrefixTrie& trie_;
    std::size_t node_ = 0;
  };

 private:
  struct Node {
    std::uint32_t first_child = 0;
    std::uint16_t children = 0;
    unsigned char byte = 0;  ///< that leads here
    std::int32_t number = -1;
  };

  std::vector<Node> nodes_;  ///< children of a node stand in a row, ordered by byte
};

/// The trie of some of a vocabulary's tokens, by their ids; those without a text are left out.
PrefixTrie trie_of(const Vocabulary& vocabulary, const std::vector<TokenId>& ids);

}  // namespace paretofl
