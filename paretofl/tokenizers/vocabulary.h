#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// The largest id a vocabulary may have.
inline constexpr TokenId kMaxTokenId = (1 << 24) - 1;

/// Tokens and their ids, one to one. Ids may have gaps.
class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  /// Throws Error, beginning with `where`, if the token or its id stands there already, or the id is out of range.
  void add(std::string_view token, std::int64_t id, const std::string& where);

  std::size_t size() const { return tokens_.size(); }  ///< one more than the largest id
  bool has_gaps() const { return ids_.size() != tokens_.size(); }
  std::optional<TokenId> id_of(std::string_view token) const;
  /// The token of an id, valid as long as this is; null if there is none.
  const std::string* token_of(TokenId id) const;

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard library's name
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> ids_;
  std::vector<const std::string*> tokens_;
};

}  // namespace paretofl
