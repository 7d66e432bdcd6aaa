#include "paretofl/tokenizers/scored_bpe.h"

#include "paretofl/core/utf8.h"
#include "paretofl/tokenizers/merge_pairs.h"

namespace paretofl {
namespace {

// Ids of symbols while they are merged by their texts.
constexpr TokenId kOpen = 0;
constexpr TokenId kWhole = 1;

}  // namespace

ScoredBpe::ScoredBpe(std::unique_ptr<const Vocabulary> vocabulary, std::vector<std::optional<double>> scores,
                     const std::vector<TokenId>& whole, TokenId unknown, bool byte_fallback)
    : vocabulary_(std::move(vocabulary)),
      scores_(std::move(scores)),
      whole_(trie_of(*vocabulary_, whole)),
      unknown_(unknown),
      byte_fallback_(byte_fallback),
      bytes_(*vocabulary_) {}

void ScoredBpe::encode(std::string_view word, TokenIds& ids) const {
  std::vector<Symbol> symbols;
  for (std::string_view rest = word; !rest.empty(); rest.remove_prefix(symbols.back().text.size())) {
    const std::size_t whole = whole_.longest(rest);
    symbols.push_back({whole != 0 ? kWhole : kOpen, rest.substr(0, whole != 0 ? whole : first_size(rest))});
  }
  merge_pairs(symbols, [&](const Symbol& left, const Symbol& right) -> std::optional<PairRule> {
    if (left.id == kWhole || right.id == kWhole) return std::nullopt;
    const std::optional<TokenId> id = vocabulary_->id_of({left.text.data(), left.text.size() + right.text.size()});
    if (!id || !scores_[static_cast<std::size_t>(*id)]) return std::nullopt;
    return PairRule{-*scores_[static_cast<std::size_t>(*id)], kOpen};
  });
  bool unknown_before = false;
  for (const Symbol& symbol : symbols) {
    const std::optional<TokenId> id = vocabulary_->id_of(symbol.text);
    const bool unknown = !id || *id == unknown_;
    if (!unknown) {
      ids.push_back(*id);
    } else if (!(byte_fallback_ && bytes_.append(symbol.text, ids)) && !unknown_before) {
      ids.push_back(unknown_);
    }
    unknown_before = unknown;
  }
}

}  // namespace paretofl
