#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/tokenizers/added_tokens.h"
#include "paretofl/tokenizers/post_processor.h"
#include "paretofl/tokenizers/sentencepiece_normalizer.h"
#include "paretofl/tokenizers/subword_model.h"
#include "paretofl/tokenizers/tokenizer.h"
#include "paretofl/tokenizers/tokenizer_config.h"

namespace paretofl {

/// The parts of a SentencePiece model.
struct SentencePieceParts {
  std::unique_ptr<const SubwordModel> model;
  std::unique_ptr<const SentencePieceNormalizer> normalizer;
  std::vector<AddedToken> added;  ///< recognized in a text: control symbols such as <s>, and the config's
  TokenId unknown = 0;
  std::string unknown_text;               ///< what the unknown token is decoded to
  std::vector<bool> byte;                 ///< of each token whether it is a byte's
  std::optional<TokenId> beginning, end;  ///< of sequence
  SurroundingIds surrounding;
  bool clean_up_spaces = false;  ///< decode takes the spaces away that clean_up_spaces does
};

/// A SentencePiece model (Kudo and Richardson 2018) with the ids of the library of that name. What the library does not
/// do: control symbols such as </s> and added tokens that stand in a text are recognized, what lies between two of them being
/// encoded on its own; decode writes them out unless they are special and `skip_special`; and under byte fallback, bytes that
/// are not UTF-8 keep their values both ways, where the library makes them U+FFFD.
class SentencePieceTokenizer : public Tokenizer {
 public:
  /// Begin and end of sequence are those of the config, where it has some. Throws Error, with `name` in front, if they are none.
  SentencePieceTokenizer(SentencePieceParts parts, const TokenizerConfig& config, const std::string& name);

  TokenIds encode(std::string_view text, bool add_special) const override;
  std::string decode(std::span<const TokenId> ids, bool skip_special) const override;

  std::size_t vocabulary_size() const override;
  bool has(TokenId id) const override;
  std::optional<TokenId> id_of(std::string_view token) const override;
  std::optional<TokenId> beginning_of_sequence() const override { return parts_.beginning; }
  std::optional<TokenId> end_of_sequence() const override { return parts_.end; }
  PairIds around_pair() const override;

 private:
  std::string normalized(std::string_view part, bool at_start) const;
  const AddedToken* added(TokenId id) const;

  SentencePieceParts parts_;
  std::unique_ptr<const AddedTokens> in_text_;
  bool every_part_ = true;  ///< begins with a space of its own, not the text alone
};

/// The tokenizer of a model file's content, called `name` in messages: models of the types BPE and unigram. Added
/// special tokens are what the config's add_bos_token and add_eos_token say; where there is no config, the model's begin of
/// sequence in front, if it has one. Throws Error on any other content.
std::unique_ptr<const Tokenizer> parse_sentencepiece_model(const std::string& content, const std::string& name,
                                                           const TokenizerConfig& config);

}  // namespace paretofl
