#include "paretofl/tokenizers/bpe.h"

#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

std::uint64_t pair_key(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32U | static_cast<std::uint32_t>(right);
}

}  // namespace

Bpe::Bpe(std::unique_ptr<const Vocabulary> vocabulary, const std::vector<Merge>& merges, BpeSettings settings, const std::string& where)
    : vocabulary_(std::move(vocabulary)), settings_(std::move(settings)), bytes_(*vocabulary_) {
  rules_.reserve(merges.size());
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    const auto& [left, right] = merges[rank];
    const auto id_of = [&](std::string_view token) {
      const std::optional<TokenId> id = vocabulary_->id_of(token);
      expect(id.has_value(), "{}: merge {}: expected a token of the vocabulary, found '{}'", where, rank + 1, shown(token));
      return *id;
    };
    const std::string_view tail = std::string_view(right).starts_with(settings_.continuing_prefix)
                                      ? std::string_view(right).substr(settings_.continuing_prefix.size())
                                      : std::string_view(right);
    const PairRule rule{static_cast<double>(rank), id_of(left + std::string(tail))};
    rules_.insert_or_assign(pair_key(id_of(left), id_of(right)), rule);
  }
}

std::optional<PairRule> Bpe::rule(const Symbol& left, const Symbol& right) const {
  const auto found = rules_.find(pair_key(left.id, right.id));
  return found == rules_.end() ? std::nullopt : std::optional(found->second);
}

void Bpe::encode(std::string_view word, TokenIds& ids) const {
  if (settings_.ignore_merges) {
    if (const std::optional<TokenId> whole = vocabulary_->id_of(word)) return ids.push_back(*whole);
  }
  std::vector<Symbol> symbols = characters(word);
  merge_pairs(symbols, [this](const Symbol& left, const Symbol& right) { return rule(left, right); });
  for (const Symbol& symbol : symbols) ids.push_back(symbol.id);
}

std::vector<Symbol> Bpe::characters(std::string_view word) const {
  TokenIds ids;
  ids.reserve(word.size());
  bool unknown_before = false;
  std::string decorated;
  for (std::string_view rest = word; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_size(rest));
    const bool first = rest.size() == word.size();
    rest.remove_prefix(character.size());
    decorated = first ? "" : settings_.continuing_prefix;
    decorated += character;
    if (rest.empty()) decorated += settings_.word_suffix;
    const std::optional<TokenId> id = vocabulary_->id_of(decorated);
    if (id) {
      ids.push_back(*id);
    } else if (!settings_.byte_fallback || !bytes_.append(decorated, ids)) {
      expect(settings_.unknown.has_value(), "encode: expected characters of the vocabulary, found '{}'", shown(decorated));
      if (!unknown_before || !settings_.fuse_unknown) ids.push_back(*settings_.unknown);
      unknown_before = true;
      continue;
    }
    unknown_before = false;
  }
  std::vector<Symbol> symbols;
  symbols.reserve(ids.size());
  for (const TokenId symbol : ids) symbols.push_back({symbol, {}});
  return symbols;
}

}  // namespace paretofl
