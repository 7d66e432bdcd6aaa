#pragma once

#include <string>
#include <utility>
#include <vector>

#include "paretofl/tokenizers/added_tokens.h"
#include "paretofl/tokenizers/post_processor.h"
#include "paretofl/tokenizers/tokenizer_config.h"
#include "paretofl/tokenizers/vocabulary.h"

namespace paretofl {

/// Keys of special tokens and what they are where a tokenizer_config.json does not say.
using DefaultTokens = std::vector<std::pair<std::string, std::string>>;

/// The added tokens of a vocabulary's own file with those of its config, as the reference library numbers them: a token of the
/// vocabulary keeps its id, any other one gets the next. Throws Error, with `name` in front, if a file gives a token another id.
std::vector<AddedToken> with_configured_tokens(const std::vector<AddedToken>& own, const TokenizerConfig& config,
                                               const DefaultTokens& defaults, const Vocabulary& vocabulary, const std::string& name);

/// What the config's add_bos_token and add_eos_token put around a text.
SurroundingIds configured_ends(const TokenizerConfig& config, const DefaultTokens& defaults, const std::vector<AddedToken>& tokens);

}  // namespace paretofl
