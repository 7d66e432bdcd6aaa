#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "paretofl/tokenizers/tokenizer.h"
#include "paretofl/tokenizers/tokenizer_config.h"

namespace paretofl {

/// The tokenizer of a tokenizer.json, the format of the "tokenizers" library, called `name` in messages: models
/// BPE and Unigram with the kinds of parts that make_normalizer, make_pre_tokenizer, parse_post_processor and
/// make_token_decoder list. Throws Error on any other kind and on whatever is inconsistent.
std::unique_ptr<const Tokenizer> parse_tokenizer_json(const nlohmann::json& json, const std::string& name, const TokenizerConfig& config);

/// A byte-level tokenizer of a vocab.json ({token: id}) and the text of its merges.txt, GPT-2's first format: its words are
/// GPT-2's, and <|endoftext|> and the config's tokens are its special ones, as far as the vocabulary has them.
std::unique_ptr<const Tokenizer> parse_vocab_and_merges(const nlohmann::json& vocab, const std::string& merges, const std::string& name,
                                                        const TokenizerConfig& config);

}  // namespace paretofl
