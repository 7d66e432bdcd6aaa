#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/tokenizers/added_tokens.h"

namespace paretofl {

/// What stands beside a vocabulary, in tokenizer_config.json and in files of older versions, as far as it is heeded.
struct TokenizerConfig {
  bool stated = false;                               ///< whether there is a tokenizer_config.json
  std::string tokenizer_class;                       ///< the reference library's, without "Fast"; empty if nothing is said
  std::optional<std::string> beginning_of_sequence;  ///< bos_token: its text
  std::optional<std::string> end_of_sequence;        ///< eos_token
  std::optional<bool> add_beginning, add_end;        ///< add_bos_token, add_eos_token
  std::optional<bool> add_prefix_space, legacy;
  bool clean_up_spaces = false;  ///< clean_up_tokenization_spaces
  /// Special tokens by their keys, such as pad_token; nothing where a key is there and names none.
  std::map<std::string, std::optional<AddedToken>> named;
  std::vector<AddedToken> others;         ///< further special tokens: those of lists, without keys
  bool lists_others = false;              ///< whether there is such a list, be it empty
  std::vector<std::string> older_others;  ///< of older lists, all of them in the vocabulary or among `added`
  std::vector<AddedToken> added;          ///< added_tokens_decoder, or added_tokens.json: tokens with their ids, in order of these
  bool added_replace = false;             ///< whether `added` counts where the vocabulary's own file describes a token otherwise
  std::string chat_template;              ///< of its own language, as text; empty if it has none
};

/// Of a tokenizer_config.json, called `name` in messages. Throws Error on what is not such a file, and names a key that
/// is neither heeded nor known to change no ids and texts.
TokenizerConfig parse_tokenizer_config(const nlohmann::json& json, const std::string& name);

/// Takes an added_tokens.json, {token: id}.
void take_added_tokens(const nlohmann::json& json, const std::string& name, TokenizerConfig& config);

/// Of the files tokenizer_config.json, special_tokens_map.json, added_tokens.json, chat_template.jinja and config.json (whose
/// model_type stands for a class) in a folder, each of which may be missing.
TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder);

}  // namespace paretofl
