#include "paretofl/tokenizers/added_tokens.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <set>

#include "paretofl/core/utf8.h"

namespace paretofl {
namespace {

// Of tokens with the same spelling the first one counts, special ones before others.
PrefixTrie trie_of(const std::vector<AddedToken>& tokens, const std::vector<std::string>& spellings) {
  std::vector<PrefixTrie::Entry> entries;
  std::set<std::string_view> taken;
  for (const bool special : {true, false}) {
    for (std::size_t i = 0; i < spellings.size(); ++i) {
      if (spellings[i].empty() || tokens[i].special != special || !taken.insert(spellings[i]).second) continue;
      entries.emplace_back(spellings[i], static_cast<std::int32_t>(i));
    }
  }
  return PrefixTrie(std::move(entries));
}

/// Unicode's word characters (Technical Standard 18, Annex C).
bool is_word(std::string_view character) {
  if (utf8_size(character) == 0) return false;
  const auto code = static_cast<UChar32>(code_point(character));
  return u_hasBinaryProperty(code, UCHAR_ALPHABETIC) || u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL) ||
         (U_GET_GC_MASK(code) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0;
}

bool is_space(std::string_view character) {
  return utf8_size(character) != 0 && u_isUWhiteSpace(static_cast<UChar32>(code_point(character)));
}

std::string_view first(std::string_view text) { return text.substr(0, first_size(text)); }
std::string_view last(std::string_view text) { return text.substr(text.size() - last_size(text)); }

}  // namespace

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens, const std::vector<std::string>& spellings)
    : tokens_(tokens), trie_(trie_of(tokens, spellings)) {}

std::vector<TextPart> AddedTokens::split(std::string_view text) const {
  std::vector<TextPart> parts;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    PrefixTrie::Walk walk(trie_);
    std::size_t end = at;
    const AddedToken* token = nullptr;
    for (std::size_t i = at; i < text.size() && walk.step(text[i]); ++i) {
      if (walk.number() >= 0) {
        end = i + 1;
        token = &tokens_[static_cast<std::size_t>(walk.number())];
      }
    }
    if (token == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    at = end;
    const bool within_word = (begin > 0 && is_word(last(text.substr(0, begin)))) || (end < text.size() && is_word(first(text.substr(end))));
    if (token->single_word && within_word) continue;
    while (token->lstrip && begin > done && is_space(last(text.substr(0, begin)))) begin -= last_size(text.substr(0, begin));
    while (token->rstrip && end < text.size() && is_space(first(text.substr(end)))) end += first_size(text.substr(end));
    if (token->lstrip) begin = std::max(begin, done);
    if (begin >= end) continue;  // white space that another one has taken along
    if (begin > done) parts.push_back({text.substr(done, begin - done)});
    parts.push_back({text.substr(begin, end - begin), token});
    done = end;  // before the end of another one that took along white space in which this one stands, as the reference library has it
  }
  if (done < text.size()) parts.push_back({text.substr(done)});
  return parts;
}

}  // namespace paretofl
