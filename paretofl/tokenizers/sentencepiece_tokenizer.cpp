#include "paretofl/tokenizers/sentencepiece_tokenizer.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/text_pattern.h"
#include "paretofl/tokenizers/byte_tokens.h"
#include "paretofl/tokenizers/clean_up_spaces.h"

namespace paretofl {

SentencePieceTokenizer::SentencePieceTokenizer(SentencePieceParts parts, const TokenizerConfig& config, const std::string& name)
    : parts_(std::move(parts)) {
  std::vector<std::string> spellings;
  for (const AddedToken& token : parts_.added) spellings.push_back(token.content);
  in_text_ = std::make_unique<AddedTokens>(parts_.added, spellings);
  const auto choose = [&](const std::optional<std::string>& configured, std::optional<TokenId>& id) {
    if (!configured) return;
    id = id_of(*configured);
    expect(id.has_value(), "{}: expected the special token '{}' of tokenizer_config.json, found none", name, shown(*configured));
  };
  choose(config.beginning_of_sequence, parts_.beginning);
  choose(config.end_of_sequence, parts_.end);
  every_part_ = config.legacy.value_or(true);
}

TokenIds SentencePieceTokenizer::encode(std::string_view text, bool add_special) const {
  TokenIds ids;
  if (add_special) ids = parts_.surrounding.before;
  for (const TextPart& part : in_text_->split(text)) {
    if (part.token != nullptr) {
      ids.push_back(part.token->id);
    } else {
      parts_.model->encode(normalized(part.text, part.text.data() == text.data()), ids);
    }
  }
  if (add_special) ids.insert(ids.end(), parts_.surrounding.after.begin(), parts_.surrounding.after.end());
  return ids;
}

/// Where only the text begins with a space of its own, it gets none beside one of its own.
std::string SentencePieceTokenizer::normalized(std::string_view part, bool at_start) const {
  if (every_part_) return parts_.normalizer->normalize(part);
  const std::string bare = parts_.normalizer->normalize(part, false);
  const bool has_one = parts_.normalizer->begins_with_space(part) || bare.starts_with(parts_.normalizer->space());
  return at_start && !has_one ? parts_.normalizer->normalize(part) : bare;
}

const AddedToken* SentencePieceTokenizer::added(TokenId id) const {
  const auto found = std::find_if(parts_.added.begin(), parts_.added.end(), [&](const AddedToken& token) { return token.id == id; });
  return found == parts_.added.end() ? nullptr : &*found;
}

PairIds SentencePieceTokenizer::around_pair() const {
  return parts_.surrounding.pair ? *parts_.surrounding.pair : Tokenizer::around_pair();
}

bool SentencePieceTokenizer::has(TokenId id) const { return added(id) != nullptr || parts_.model->vocabulary().token_of(id) != nullptr; }

std::size_t SentencePieceTokenizer::vocabulary_size() const {
  std::size_t size = parts_.model->vocabulary().size();
  for (const AddedToken& token : parts_.added) size = std::max(size, static_cast<std::size_t>(token.id) + 1);
  return size;
}

std::optional<TokenId> SentencePieceTokenizer::id_of(std::string_view token) const {
  for (const AddedToken& added : parts_.added) {
    if (added.content == token) return added.id;
  }
  return parts_.model->vocabulary().id_of(token);
}

/// As the library does it: the spaces that normalization adds in front are dropped again, unless a control symbol
/// stands before them.
std::string SentencePieceTokenizer::decode(std::span<const TokenId> ids, bool skip_special) const {
  constexpr std::string_view kSpace = "\u2581";
  static const TextPattern kSpaces{std::string(kSpace)};
  const SentencePieceNormalization& settings = parts_.normalizer->settings();
  std::string text;
  bool at_start = settings.add_dummy_prefix || settings.remove_extra_whitespaces;
  for (const TokenId id : ids) {
    if (const AddedToken* symbol = added(id)) {
      const bool skipped = symbol->special && skip_special;
      if (!skipped) text += symbol->content;
      at_start = at_start && skipped;
      continue;
    }
    const std::string* token = parts_.model->vocabulary().token_of(id);
    expect(token != nullptr, "decode: expected ids of the vocabulary, below {}, found {}", vocabulary_size(), id);
    if (const std::optional<char> byte = parts_.byte[static_cast<std::size_t>(id)] ? byte_of_token(*token) : std::nullopt) {
      text += *byte;
      at_start = false;
      continue;
    }
    std::string_view piece = id == parts_.unknown ? parts_.unknown_text : *token;
    const bool dropped = at_start && piece.starts_with(kSpace);
    if (dropped) piece.remove_prefix(kSpace.size());
    text += replaced(piece, kSpaces, " ");
    if (!piece.empty() || (dropped && !settings.remove_extra_whitespaces)) at_start = false;
  }
  return parts_.clean_up_spaces ? clean_up_spaces(std::move(text)) : text;
}

}  // namespace paretofl
