#include "paretofl/tokenizers/vocabulary.h"

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

void Vocabulary::add(std::string_view token, std::int64_t id, const std::string& where) {
  expect(id >= 0 && id <= kMaxTokenId, "{}: expected ids from 0 to {}, found {} of '{}'", where, kMaxTokenId, id, shown(token));
  const auto index = static_cast<std::size_t>(id);
  const auto [entry, fresh] = ids_.emplace(token, static_cast<TokenId>(id));
  expect(fresh, "{}: expected every token once, found '{}' again", where, shown(token));
  if (index >= tokens_.size()) tokens_.resize(index + 1);
  expect(tokens_[index] == nullptr, "{}: expected every id once, found {} again, of '{}'", where, id, shown(token));
  tokens_[index] = &entry->first;
}

std::optional<TokenId> Vocabulary::id_of(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const std::string* Vocabulary::token_of(TokenId id) const {
  return id >= 0 && static_cast<std::size_t>(id) < tokens_.size() ? tokens_[static_cast<std::size_t>(id)] : nullptr;
}

}  // namespace paretofl
