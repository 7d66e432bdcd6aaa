#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/data/prompt_set.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/text/published_chat.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// The texts around a question: the instruction and the system turn.
struct QuestionWording {
  std::string instruction;      ///< holds {question} once
  std::string instruction_key;  ///< of the config, for messages
  std::string system = {};      ///< the dialogue's system turn; empty: none of ours
  std::string system_key = {};
};

/// How a question is put to a language model: within an instruction and, for models that have one, in a chat template, after a system turn
/// if there is one. What special tokens stand in front is the template's matter where there is one, the vocabulary's otherwise.
class QuestionForm {
 public:
  /// `chat_template` as chosen_chat() takes it. Throws Error also on an instruction without one place for the question or with that in
  /// two pairs of braces, and on a system turn without a template.
  QuestionForm(const QuestionWording& wording, const std::string& chat_template, const std::filesystem::path& model);

  std::string text(const Question& question) const;
  /// Whether the special tokens that the vocabulary adds to a text belong to its prompts: not where a chat template writes them.
  bool adds_special() const { return !chat_.has_value(); }
  /// Prompts of those questions that are at most `max_tokens` long; adds the others to `left_out`.
  std::vector<Prompt> prompts(std::span<const Question> questions, const Tokenizer& tokenizer, std::size_t max_tokens,
                              std::size_t& left_out) const;

 private:
  std::string before_;  // the question, in the instruction
  std::string after_;
  std::string system_;
  std::optional<PublishedChat> chat_;
};

}  // namespace paretofl
