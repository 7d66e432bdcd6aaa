#include "paretofl/tokenizers/configured_tokens.h"

#include <algorithm>
#include <optional>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

/// Those with keys in the order in which the reference library gives them ids, then the others.
std::vector<AddedToken> special_tokens(const TokenizerConfig& config, const DefaultTokens& defaults, const Vocabulary& vocabulary) {
  auto named = config.named;
  for (const auto& [key, content] : defaults) {
    // Where nothing is said, a default counts only as far as the vocabulary has it.
    if (config.stated || vocabulary.id_of(content)) named.try_emplace(key, AddedToken{.content = content, .special = true, .named = true});
  }
  std::vector<AddedToken> tokens;
  for (const char* key : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
    const auto found = named.find(key);
    if (found == named.end()) continue;
    if (found->second) tokens.push_back(*found->second);
    named.erase(found);
  }
  for (const auto& [key, token] : named) {
    if (token) tokens.push_back(*token);
  }
  tokens.insert(tokens.end(), config.others.begin(), config.others.end());
  return tokens;
}

}  // namespace

std::vector<AddedToken> with_configured_tokens(const std::vector<AddedToken>& own, const TokenizerConfig& config,
                                               const DefaultTokens& defaults, const Vocabulary& vocabulary, const std::string& name) {
  std::vector<AddedToken> tokens;
  const auto same = [&](const AddedToken& token) {
    return std::find_if(tokens.begin(), tokens.end(), [&](const AddedToken& other) { return other.content == token.content; });
  };
  const auto id_of = [&](const AddedToken& token) -> TokenId {
    if (const auto known = same(token); known != tokens.end()) return known->id;
    if (const std::optional<TokenId> known = vocabulary.id_of(token.content)) return *known;
    expect(!vocabulary.has_gaps(),
           "{}: expected a vocabulary without gaps between its ids, as the token '{}' comes behind them, found some", name,
           shown(token.content));
    auto next = static_cast<TokenId>(vocabulary.size());
    for (const AddedToken& other : tokens) next = std::max(next, other.id + 1);
    expect(next <= kMaxTokenId, "{}: expected ids from 0 to {}, found more tokens", name, kMaxTokenId);
    return next;
  };
  const auto take = [&](const AddedToken& token, bool replace) {
    const TokenId id = id_of(token);
    expect(token.id == id, "{}: expected the added token '{}' under the id {}, found {}", name, shown(token.content), id, token.id);
    const auto known = same(token);
    if (known == tokens.end()) {
      tokens.push_back(token);
    } else if (replace) {
      *known = token;
    }
  };
  for (const AddedToken& token : own) {
    expect(!token.content.empty(), "{}: expected added tokens with a content, found {} without", name, token.id);
    expect(same(token) == tokens.end(), "{}: expected every added token once, found '{}' again", name, shown(token.content));
    take(token, false);
  }
  for (AddedToken token : config.added) {
    const auto is_token = [&](const auto& named) { return named.second && named.second->content == token.content; };
    token.special = token.special || std::any_of(config.named.begin(), config.named.end(), is_token);
    take(token, config.added_replace);
  }
  for (const std::string& content : config.older_others) {
    const auto known = std::find_if(tokens.begin(), tokens.end(), [&](const AddedToken& token) { return token.content == content; });
    if (known != tokens.end()) known->named = true;
    expect(known != tokens.end() || vocabulary.id_of(content),
           "{}: expected the token '{}' of additional_special_tokens in the vocabulary or among its added tokens, found neither", name,
           shown(content));
  }
  for (AddedToken& token : special_tokens(config, defaults, vocabulary)) {
    if (token.content.empty()) continue;
    if (const auto known = same(token); known != tokens.end()) {
      known->named = true;
      continue;
    }
    token.id = id_of(token);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

SurroundingIds configured_ends(const TokenizerConfig& config, const DefaultTokens& defaults, const std::vector<AddedToken>& tokens) {
  const auto id_of = [&](const char* key) -> TokenIds {
    std::string content;
    for (const auto& [name, usual] : defaults) {
      if (name == key) content = usual;
    }
    const auto named = config.named.find(key);
    if (named != config.named.end()) content = named->second ? named->second->content : "";
    const auto found = std::find_if(tokens.begin(), tokens.end(), [&](const AddedToken& token) { return token.content == content; });
    return found == tokens.end() ? TokenIds{} : TokenIds{found->id};
  };
  SurroundingIds ends;
  if (config.add_beginning.value_or(false)) ends.before = id_of("bos_token");
  if (config.add_end.value_or(false)) ends.after = id_of("eos_token");
  ends.pair = PairIds{ends.before, ends.after, ends.after};  // each text of a pair has the ends of a text
  ends.pair->between.insert(ends.pair->between.end(), ends.before.begin(), ends.before.end());
  return ends;
}

}  // namespace paretofl
