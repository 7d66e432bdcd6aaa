#include "paretofl/text/sentencepiece_tokenizer.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/text/byte_tokens.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/text_pattern.h"

namespace paretofl {

SentencePieceTokenizer::SentencePieceTokenizer(SentencePieceParts parts, const TokenizerConfig& config, const std::string& name)
    : parts_(std::move(parts)) {
  std::vector<std::string> spellings;
  for (const AddedToken& token : parts_.control) spellings.push_back(token.content);
  in_text_ = std::make_unique<AddedTokens>(parts_.control, spellings);
  const auto choose = [&](const std::optional<std::string>& configured, std::optional<TokenId>& id) {
    if (!configured) return;
    id = id_of(*configured);
    expect(id.has_value(), "{}: expected the special token '{}' of tokenizer_config.json, found none", name, shown(*configured));
  };
  choose(config.beginning_of_sequence, parts_.beginning);
  choose(config.end_of_sequence, parts_.end);
  add_beginning_ = parts_.beginning && config.add_beginning.value_or(true);
  add_end_ = parts_.end && config.add_end.value_or(false);
}

TokenIds SentencePieceTokenizer::encode(std::string_view text, bool add_special) const {
  TokenIds ids;
  if (add_special && add_beginning_) ids.push_back(*parts_.beginning);
  for (const TextPart& part : in_text_->split(text)) {
    if (part.token != nullptr) {
      ids.push_back(part.token->id);
    } else {
      parts_.model->encode(parts_.normalizer->normalize(part.text), ids);
    }
  }
  if (add_special && add_end_) ids.push_back(*parts_.end);
  return ids;
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
    const std::string* token = parts_.model->vocabulary().token_of(id);
    expect(token != nullptr, "decode: expected ids of the vocabulary, below {}, found {}", vocabulary_size(), id);
    const bool control =
        std::any_of(parts_.control.begin(), parts_.control.end(), [&](const AddedToken& symbol) { return symbol.id == id; });
    if (control) {
      if (!skip_special) text += *token;
      at_start = at_start && skip_special;
      continue;
    }
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
  return text;
}

}  // namespace paretofl
