#include "paretofl/text/unigram.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/utf8.h"

namespace paretofl {
namespace {

constexpr std::size_t kUnreached = static_cast<std::size_t>(-1);

PrefixTrie trie_of(const Vocabulary& vocabulary) {
  std::vector<PrefixTrie::Entry> entries;
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const std::string* token = vocabulary.token_of(static_cast<TokenId>(id));
    if (token != nullptr && !token->empty()) entries.emplace_back(*token, static_cast<std::int32_t>(id));
  }
  return PrefixTrie(std::move(entries));
}

}  // namespace

/// The best way to one end in a word: its last token and where that starts.
struct Unigram::Step {
  double score = 0;
  std::size_t start = kUnreached;
  TokenId id = 0;

  void offer(double candidate, std::size_t from, TokenId token) {
    if (start == kUnreached || candidate > score) *this = {candidate, from, token};
  }
};

Unigram::Unigram(std::unique_ptr<const Vocabulary> vocabulary, std::vector<double> scores, std::optional<TokenId> unknown,
                 bool byte_fallback, const std::string& where)
    : vocabulary_(std::move(vocabulary)),
      scores_(std::move(scores)),
      unknown_(unknown),
      byte_fallback_(byte_fallback),
      bytes_(*vocabulary_),
      trie_(trie_of(*vocabulary_)) {
  expect(!scores_.empty(), "{}: expected tokens with scores, found none", where);
  for (const double score : scores_) expect(std::isfinite(score), "{}: expected finite scores, found {}", where, score);
  constexpr double kUnknownPenalty = 10;
  unknown_score_ = *std::min_element(scores_.begin(), scores_.end()) - kUnknownPenalty;
}

/// [word.size() + 1], by end.
std::vector<Unigram::Step> Unigram::best_steps(std::string_view word) const {
  std::vector<Step> best(word.size() + 1);
  for (std::size_t start = 0; start < word.size();) {
    const double so_far = best[start].score;
    const std::size_t size = first_size(word.substr(start));
    bool whole_character = false;
    PrefixTrie::Walk walk(trie_);
    for (std::size_t end = start + 1; end <= word.size() && walk.step(word[end - 1]); ++end) {
      if (walk.number() < 0) continue;
      best[end].offer(so_far + scores_[static_cast<std::size_t>(walk.number())], start, walk.number());
      whole_character = whole_character || end == start + size;
    }
    if (!whole_character) {
      expect(unknown_.has_value(), "encode: expected characters of the vocabulary, found '{}'", shown(word.substr(start, size)));
      best[start + size].offer(so_far + unknown_score_, start, *unknown_);
    }
    start += size;
  }
  return best;
}

void Unigram::encode(std::string_view word, TokenIds& ids) const {
  const std::vector<Step> best = best_steps(word);
  std::vector<std::string_view> pieces;  // from the end
  bool unknown_behind = false;
  for (std::size_t end = word.size(); end > 0; end = best[end].start) {
    const Step& step = best[end];
    const std::string_view piece = word.substr(step.start, end - step.start);
    const bool is_unknown = unknown_ && step.id == *unknown_;
    if (is_unknown && unknown_behind) {
      pieces.back() = std::string_view(piece.data(), piece.size() + pieces.back().size());
    } else {
      pieces.push_back(piece);
    }
    unknown_behind = is_unknown;
  }
  std::reverse(pieces.begin(), pieces.end());
  for (const std::string_view piece : pieces) {
    if (const std::optional<TokenId> id = vocabulary_->id_of(piece)) {
      ids.push_back(*id);
    } else if (!byte_fallback_ || !bytes_.append(piece, ids)) {
      ids.push_back(*unknown_);
    }
  }
}

}  // namespace paretofl
