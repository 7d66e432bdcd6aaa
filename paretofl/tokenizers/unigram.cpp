#include "paretofl/tokenizers/unigram.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr std::size_t kUnreached = static_cast<std::size_t>(-1);

std::vector<TokenId> with_scores(const std::vector<std::optional<double>>& scores) {
  std::vector<TokenId> ids;
  for (std::size_t id = 0; id < scores.size(); ++id) {
    if (scores[id]) ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

}  // namespace

/// The best way to one end in a word: its last token and where that starts.
struct Unigram::Step {
  double score = 0;
  std::size_t start = kUnreached;
  TokenId id = 0;

  void offer(double candidate, std::size_t from, TokenId token, bool single_precision) {
    if (single_precision) candidate = static_cast<float>(candidate);  // before it is compared: equal floats are a tie, which the first wins
    if (start != kUnreached && candidate <= score) return;
    *this = {candidate, from, token};
  }
};

Unigram::Unigram(std::unique_ptr<const Vocabulary> vocabulary, UnigramSettings settings)
    : vocabulary_(std::move(vocabulary)),
      settings_(std::move(settings)),
      bytes_(*vocabulary_),
      trie_(trie_of(*vocabulary_, with_scores(settings_.scores))) {}

/// [word.size() + 1], by end.
std::vector<Unigram::Step> Unigram::best_steps(std::string_view word) const {
  std::vector<Step> best(word.size() + 1);
  const auto offer = [&](std::size_t start, std::size_t end, double score, TokenId token) {
    best[end].offer(best[start].score + score, start, token, settings_.single_precision);
  };
  for (std::size_t start = 0; start < word.size();) {
    const std::size_t size = first_size(word.substr(start));
    bool whole_character = false;
    PrefixTrie::Walk walk(trie_);
    for (std::size_t end = start + 1; end <= word.size() && walk.step(word[end - 1]); ++end) {
      if (walk.number() < 0) continue;
      offer(start, end, *settings_.scores[static_cast<std::size_t>(walk.number())], walk.number());
      whole_character = whole_character || end == start + size;
    }
    if (!whole_character) {
      expect(settings_.unknown.has_value(), "encode: expected characters of the vocabulary, found '{}'", shown(word.substr(start, size)));
      offer(start, start + size, settings_.unknown_score, *settings_.unknown);
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
    const bool is_unknown = settings_.unknown && step.id == *settings_.unknown;
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
    } else if (!settings_.byte_fallback || !bytes_.append(piece, ids)) {
      ids.push_back(*settings_.unknown);
    }
  }
}

}  // namespace paretofl
