#include "paretofl/text/bpe.h"

#include <queue>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/utf8.h"

namespace paretofl {
namespace {

std::uint64_t pair_key(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32U | static_cast<std::uint32_t>(right);
}

}  // namespace

/// A word's symbols as a linked list, and its possible merges as a heap.
class Bpe::Word {
 public:
  Word(const Bpe& bpe, TokenIds symbols) : bpe_(bpe), symbols_(std::move(symbols)), before_(symbols_.size()), after_(symbols_.size()) {
    const auto size = static_cast<std::int32_t>(symbols_.size());
    for (std::int32_t i = 0; i < size; ++i) {
      before_[at(i)] = i - 1;
      after_[at(i)] = i + 1 < size ? i + 1 : kNone;
    }
    for (std::int32_t i = 0; i + 1 < size; ++i) propose(i);
  }

  void merge_into(TokenIds& ids) {
    while (!proposals_.empty()) {
      const auto [rank, left] = proposals_.top();
      proposals_.pop();
      merge(rank, left);
    }
    for (std::int32_t i = symbols_.empty() ? kNone : 0; i != kNone; i = after_[at(i)]) ids.push_back(symbols_[at(i)]);
  }

 private:
  static constexpr std::int32_t kNone = -1;
  static constexpr TokenId kGone = -1;
  using Proposal = std::pair<std::uint32_t, std::int32_t>;  ///< rank, index of the left symbol

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  void propose(std::int32_t left) {
    const Rule* rule = bpe_.rule(symbols_[at(left)], symbols_[at(after_[at(left)])]);
    if (rule != nullptr) proposals_.emplace(rule->rank, left);
  }

  /// Proposals outlive what they were made for: those are passed over.
  void merge(std::uint32_t rank, std::int32_t left) {
    const std::int32_t right = after_[at(left)];
    if (symbols_[at(left)] == kGone || right == kNone) return;
    const Rule* rule = bpe_.rule(symbols_[at(left)], symbols_[at(right)]);
    if (rule == nullptr || rule->rank != rank) return;
    symbols_[at(left)] = rule->result;
    symbols_[at(right)] = kGone;
    after_[at(left)] = after_[at(right)];
    if (after_[at(left)] != kNone) {
      before_[at(after_[at(left)])] = left;
      propose(left);
    }
    if (before_[at(left)] != kNone) propose(before_[at(left)]);
  }

  const Bpe& bpe_;
  TokenIds symbols_;
  std::vector<std::int32_t> before_, after_;
  std::priority_queue<Proposal, std::vector<Proposal>, std::greater<>> proposals_;
};

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
    const Rule rule{static_cast<std::uint32_t>(rank), id_of(left + std::string(tail))};
    rules_.insert_or_assign(pair_key(id_of(left), id_of(right)), rule);
  }
}

const Bpe::Rule* Bpe::rule(TokenId left, TokenId right) const {
  const auto found = rules_.find(pair_key(left, right));
  return found == rules_.end() ? nullptr : &found->second;
}

void Bpe::encode(std::string_view word, TokenIds& ids) const {
  if (settings_.ignore_merges) {
    if (const std::optional<TokenId> whole = vocabulary_->id_of(word)) return ids.push_back(*whole);
  }
  Word(*this, characters(word)).merge_into(ids);
}

TokenIds Bpe::characters(std::string_view word) const {
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
  return ids;
}

}  // namespace paretofl
