#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace paretofl {

/// What a model directory's tokenizer_config.json says, as far as it is heeded.
struct TokenizerConfig {
  std::optional<std::string> beginning_of_sequence;  ///< bos_token: its text
  std::optional<std::string> end_of_sequence;        ///< eos_token
  std::optional<bool> add_beginning, add_end;        ///< add_bos_token, add_eos_token
  std::string chat_template;                         ///< of its own language, as text; empty if it has none
};

/// Of a file's text, which `name` stands for in messages. Throws Error on what is not such a file.
TokenizerConfig parse_tokenizer_config(const std::string& text, const std::string& name);

/// Of the file tokenizer_config.json in a folder; all absent where there is no such file.
TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder);

}  // namespace paretofl
