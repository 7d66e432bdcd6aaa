#pragma once

#include "paretofl/data/prompt_set.h"
#include "paretofl/tokenizers/byte_tokenizer.h"

namespace paretofl {

/// Prompts whose tokens are the bytes of the text, of at most so many.
inline PromptOfText bytes_of_at_most(std::size_t most) {
  return [most](const std::string& text) -> std::optional<Prompt> {
    Prompt prompt{.text = text, .ids = ByteTokenizer().encode(text, true)};
    if (prompt.ids.size() > most) return std::nullopt;
    return prompt;
  };
}

}  // namespace paretofl
