#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/tokenizers/added_tokens.h"
#include "paretofl/tokenizers/normalizer.h"
#include "paretofl/tokenizers/post_processor.h"
#include "paretofl/tokenizers/pre_tokenizer.h"
#include "paretofl/tokenizers/subword_model.h"
#include "paretofl/tokenizers/token_decoder.h"
#include "paretofl/tokenizers/tokenizer.h"
#include "paretofl/tokenizers/tokenizer_config.h"

namespace paretofl {

/// The parts of a tokenizer. Those that may be absent are null.
struct TokenizerParts {
  std::unique_ptr<const SubwordModel> model;
  std::vector<AddedToken> added;
  std::unique_ptr<const Normalizer> normalizer;       ///< may be absent
  std::unique_ptr<const PreTokenizer> pre_tokenizer;  ///< may be absent: a text is one word
  std::unique_ptr<const TokenDecoder> decoder;        ///< may be absent: spaces between tokens
  SurroundingIds surrounding;
  bool clean_up_spaces = false;  ///< decode takes the spaces away that clean_up_spaces does
};

/// A tokenizer as the steps of the "tokenizers" library: added tokens are taken out of the text, the rest is normalized,
/// normalized added tokens are taken out, what remains is cut into words and those into tokens of the model.
class PipelineTokenizer : public Tokenizer {
 public:
  /// `name` is the file for messages. Begin and end of sequence are those of the config; where it is silent, the first of
  /// <s>, <|begin_of_text|>, [CLS], <|endoftext|> and of </s>, <|end_of_text|>, <|im_end|>, [SEP], <|endoftext|> that is an
  /// added token. Added tokens are those of with_configured_tokens. Throws Error on a config's token that is none.
  PipelineTokenizer(TokenizerParts parts, const TokenizerConfig& config, const std::string& name);

  TokenIds encode(std::string_view text, bool add_special) const override;
  std::string decode(std::span<const TokenId> ids, bool skip_special) const override;

  std::size_t vocabulary_size() const override;
  bool has(TokenId id) const override;
  std::optional<TokenId> id_of(std::string_view token) const override;
  std::optional<TokenId> beginning_of_sequence() const override { return beginning_; }
  std::optional<TokenId> end_of_sequence() const override { return end_; }
  PairIds around_pair() const override;

 private:
  class Words;

  void encode_part(std::string_view text, bool at_start, Words& words, TokenIds& ids) const;
  const AddedToken* added(TokenId id) const;

  TokenizerParts parts_;
  std::vector<std::string> texts_;  ///< what added tokens are decoded to
  std::unique_ptr<const AddedTokens> as_written_, normalized_;
  std::optional<TokenId> beginning_, end_;
};

}  // namespace paretofl
