#include "paretofl/tokenizers/prefix_trie.h"

#include <algorithm>

namespace paretofl {

PrefixTrie::PrefixTrie(std::vector<Entry> entries) : nodes_(1) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
  struct Range {
    std::size_t begin, end, depth;
  };
  std::vector<Range> ranges{{0, entries.size(), 0}};  // of the entries below each node
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    auto [begin, end, depth] = ranges[node];
    for (; begin < end && entries[begin].first.size() == depth; ++begin) nodes_[node].number = entries[begin].second;
    nodes_[node].first_child = static_cast<std::uint32_t>(nodes_.size());
    while (begin < end) {
      const auto byte = static_cast<unsigned char>(entries[begin].first[depth]);
      std::size_t after = begin;
      while (after < end && static_cast<unsigned char>(entries[after].first[depth]) == byte) ++after;
      nodes_.push_back({.byte = byte});
      ranges.push_back({begin, after, depth + 1});
      ++nodes_[node].children;
      begin = after;
    }
  }
}

std::size_t PrefixTrie::longest(std::string_view text) const {
  std::size_t size = 0;
  Walk walk(*this);
  for (std::size_t i = 0; i < text.size() && walk.step(text[i]); ++i) {
    if (walk.number() >= 0) size = i + 1;
  }
  return size;
}

PrefixTrie trie_of(const Vocabulary& vocabulary, const std::vector<TokenId>& ids) {
  std::vector<PrefixTrie::Entry> entries;
  for (const TokenId id : ids) {
    const std::string* token = vocabulary.token_of(id);
    if (token != nullptr && !token->empty()) entries.emplace_back(*token, id);
  }
  return PrefixTrie(std::move(entries));
}

bool PrefixTrie::Walk::step(char byte) {
  const Node& node = trie_.nodes_[node_];
  const auto* begin = trie_.nodes_.data() + node.first_child;
  const auto* end = begin + node.children;
  const auto* found = std::lower_bound(begin, end, static_cast<unsigned char>(byte),
                                       [](const Node& child, unsigned char wanted) { return child.byte < wanted; });
  if (found == end || found->byte != static_cast<unsigned char>(byte)) return false;
  node_ = static_cast<std::size_t>(found - trie_.nodes_.data());
  return true;
}

}  // namespace paretofl
