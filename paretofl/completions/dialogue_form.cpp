#include "paretofl/completions/dialogue_form.h"

#include "paretofl/completions/chosen_chat.h"
#include "paretofl/text/dialogue_turns.h"

namespace paretofl {

void DialogueFormOptions::describe(OptionVisitor& visit) {
  describe_chat_template(visit, chat_template, "dialogues, which rewards read as they are written");
  visit.integer("max_prompt_tokens", max_prompt_tokens, 1, kMaxInt, "longer prompts are left out or shortened");
  visit.choice("long_prompts", long_prompts, {"left_out", "shortened"},
               "what becomes of dialogues with longer prompts; shortened: they lose their oldest turns, and are left out where the last "
               "question alone is longer");
}

DialogueForm::DialogueForm(const DialogueFormOptions& options, const std::filesystem::path& model)
    : most_(static_cast<std::size_t>(options.max_prompt_tokens)),
      shortens_(options.long_prompts == "shortened"),
      chat_(chosen_chat(options.chat_template, model)) {}

Prompt DialogueForm::whole_prompt(const std::string& dialogue, const Tokenizer& tokenizer) const {
  if (!chat_.has_value()) return {.text = dialogue, .ids = tokenizer.encode(dialogue, true)};
  std::vector<ChatMessage> turns = dialogue_turns(dialogue);
  if (!chat_->system.empty() && turns.front().role != "system") turns.insert(turns.begin(), {"system", chat_->system});
  return {.text = dialogue, .ids = tokenizer.encode(render_chat(chat_->family, turns, true), false), .in_template = true};
}

std::optional<Prompt> DialogueForm::prompt(const std::string& dialogue, const Tokenizer& tokenizer) const {
  Prompt prompt = whole_prompt(dialogue, tokenizer);
  while (shortens_ && prompt.ids.size() > most_) {
    const std::string later(later_turns(prompt.text));
    if (later.empty()) break;
    prompt = whole_prompt(later, tokenizer);
  }
  if (prompt.ids.size() > most_) return std::nullopt;
  return prompt;
}

}  // namespace paretofl
