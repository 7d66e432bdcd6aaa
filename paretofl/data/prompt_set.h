#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// A text to complete.
struct Prompt {
  std::string text;
  TokenIds ids;
  std::uint32_t source = 0;    ///< which file it comes from
  std::string reference = {};  ///< what a correct completion says, where that is known
  std::string question = {};   ///< what is asked within instruction and chat template; empty where the text has neither
  bool in_template = false;    ///< the text is a dialogue, which `ids` put into a chat template
};

/// The prompt of a text; nothing where that would be too long.
using PromptOfText = std::function<std::optional<Prompt>(const std::string& text)>;

/// Prompts to train on and prompts to evaluate on.
struct PromptSet {
  std::vector<Prompt> training;
  std::vector<Prompt> held_out;
  std::size_t too_long = 0;  ///< left out
};

/// The prompts of files of preference pairs (text/preference_pairs.h), each file a source. Which are held out, HeldOut says; a
/// prompt that one file holds out is held out of the others too. Texts without a prompt are left out and counted. Throws Error if nothing
/// is left to train on or to evaluate on.
PromptSet read_prompts(std::span<const std::filesystem::path> files, const PromptOfText& prompt_of);

/// The texts of built_in_prompts, in order.
std::vector<std::string> built_in_prompt_texts();

/// Ninety-six short requests in the form of a dialogue, from four sources, made of a few words: needs no file.
PromptSet built_in_prompts(const PromptOfText& prompt_of);

}  // namespace paretofl
