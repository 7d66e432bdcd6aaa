#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "paretofl/data/prompt_set.h"
#include "paretofl/registry/options.h"
#include "paretofl/text/published_chat.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

struct DialogueFormOptions {
  std::string chat_template = "auto";
  std::int64_t max_prompt_tokens = 128;
  std::string long_prompts = "left_out";

  void describe(OptionVisitor& visit);
};

/// How a dialogue in the form of the HH data (text/dialogue_turns.h) is put to a language model: as it is written, or, for models that have
/// one, in a chat template, after the template's own system turn where it has one. Rewards read the dialogue as it is written in both
/// cases.
class DialogueForm {
 public:
  /// Throws Error as chosen_chat() does of the template and of `model`, the language model's folder.
  DialogueForm(const DialogueFormOptions& options, const std::filesystem::path& model);

  /// The prompt of a dialogue of at most `max_prompt_tokens` tokens: of a longer one nothing, or with `long_prompts` "shortened" that of
  /// its later turns, the oldest of which are left out until it is short enough; nothing where the last question alone is too long.
  std::optional<Prompt> prompt(const std::string& dialogue, const Tokenizer& tokenizer) const;
  /// The prompt of a dialogue of any length.
  Prompt whole_prompt(const std::string& dialogue, const Tokenizer& tokenizer) const;

 private:
  std::size_t most_;
  bool shortens_;
  std::optional<PublishedChat> chat_;
};

}  // namespace paretofl
