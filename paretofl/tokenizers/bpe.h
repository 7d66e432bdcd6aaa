#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "paretofl/tokenizers/byte_tokens.h"
#include "paretofl/tokenizers/merge_pairs.h"
#include "paretofl/tokenizers/subword_model.h"

namespace paretofl {

/// What a published vocabulary says of its byte-pair encoding beside tokens and merges.
struct BpeSettings {
  std::optional<TokenId> unknown;  ///< token of characters that the vocabulary lacks
  bool fuse_unknown = false;       ///< one such token for several of these in a row
  bool byte_fallback = false;      ///< spells them with <0x00> to <0xFF> instead, where those are all there
  bool ignore_merges = false;      ///< a word that is a token is that token, whatever the merges say
  std::string continuing_prefix;   ///< in front of all characters of a word but the first
  std::string word_suffix;         ///< behind a word's last character
};

/// Byte-pair encoding (Sennrich, Haddow and Birch 2016, Section 3.2): a word's characters are merged pair by pair, the
/// pair that was learned first before all others, the leftmost first where it stands there several times. Time is
/// n log n in a word's length.
class Bpe : public SubwordModel {
 public:
  using Merge = std::pair<std::string, std::string>;

  /// Throws Error, beginning with `where`, on a merge whose parts or result are no tokens.
  Bpe(std::unique_ptr<const Vocabulary> vocabulary, const std::vector<Merge>& merges, BpeSettings settings, const std::string& where);

  void encode(std::string_view word, TokenIds& ids) const override;
  const Vocabulary& vocabulary() const override { return *vocabulary_; }

 private:
  std::vector<Symbol> characters(std::string_view word) const;
  std::optional<PairRule> rule(const Symbol& left, const Symbol& right) const;

  std::unique_ptr<const Vocabulary> vocabulary_;
  BpeSettings settings_;
  ByteTokens bytes_;
  std::unordered_map<std::uint64_t, PairRule> rules_;  ///< by left id * 2^32 + right id
};

}  // namespace paretofl
