#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "paretofl/tokenizers/token_ids.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// A text for training a language model: what the vocabulary puts in front of a text, then the text, with its end of sequence
/// (where it has one) behind every turn of the assistant and behind the whole, so that a model learns to stop. Turns begin with
/// "\n\nHuman:" and "\n\nAssistant:"; a text without these is one turn. Turns are encoded on their own.
TokenIds dialogue_tokens(const Tokenizer& tokenizer, std::string_view text);

/// A text as a reward model reads it: encoded with special tokens, ended by the vocabulary's end of sequence unless `append_end` is false,
/// and of more than `most` tokens what the vocabulary puts in front and the last ones.
TokenIds ended_tokens(const Tokenizer& tokenizer, std::string_view text, std::size_t most, bool append_end = true);

/// Two texts as a pair, each encoded on its own, with the special tokens that the vocabulary puts around and between them. Of more than
/// `most` tokens the longer text loses its end until it is as long as the other, then both do ("longest_first" of the tokenizers library).
/// Throws Error where the vocabulary has no pairs, or special tokens alone are more than `most`.
TokenIds pair_tokens(const Tokenizer& tokenizer, std::string_view first, std::string_view second, std::size_t most);

/// The documents one after the other, cut into windows of at most `length` >= 2 tokens. Each begins with the last token of
/// the one before, so that every token but the very first is predicted once.
std::vector<TokenIds> token_windows(std::span<const TokenIds> documents, std::size_t length);

}  // namespace paretofl
