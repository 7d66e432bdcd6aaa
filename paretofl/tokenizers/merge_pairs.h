#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// A part of a word while it is put together from characters: by its id, by its text, or both.
struct Symbol {
  TokenId id = 0;
  std::string_view text;
};

/// Two neighbours may become one token: the sooner, the lower the rank.
struct PairRule {
  double rank = 0;
  TokenId result = 0;
};

using PairRules = std::function<std::optional<PairRule>(const Symbol& left, const Symbol& right)>;

/// Merges neighbours as long as a rule applies: that of lowest rank first, the leftmost pair among equals. Texts are
/// joined where they have some, which must follow each other in memory. Time is n log n.
void merge_pairs(std::vector<Symbol>& symbols, const PairRules& rules);

}  // namespace paretofl
