#include "paretofl/completions/question_form.h"

#include "paretofl/completions/chosen_chat.h"
#include "paretofl/core/error.h"

namespace paretofl {
QuestionForm::QuestionForm(const QuestionWording& wording, const std::string& chat_template, const std::filesystem::path& model)
    : system_(wording.system), chat_(chosen_chat(chat_template, model)) {
  constexpr std::string_view kPlace = "{question}";
  const std::string& instruction = wording.instruction;
  const std::size_t place = instruction.find(kPlace);
  expect(place != std::string::npos && instruction.find(kPlace, place + 1) == std::string::npos,
         "{}: expected a text with {{question}} once, found '{}'", wording.instruction_key, instruction);
  expect(instruction.find("{{question}}") == std::string::npos,
         "{}: expected {{question}} in single braces, of which the outer ones would stay, found '{}'", wording.instruction_key,
         instruction);
  expect(system_.empty() || chat_.has_value(),
         "{}: expected a chat template, of which a system prompt is a turn, found none; set chat_template", wording.system_key);
  if (system_.empty() && chat_.has_value()) system_ = chat_->system;
  before_ = instruction.substr(0, place);
  after_ = instruction.substr(place + kPlace.size());
}

std::string QuestionForm::text(const Question& question) const {
  std::string text = before_ + question.prompt + after_;
  if (!chat_.has_value()) return text;
  std::vector<ChatMessage> messages;
  if (!system_.empty()) messages.push_back({"system", system_});
  messages.push_back({"user", std::move(text)});
  return render_chat(chat_->family, messages, true);
}

std::vector<Prompt> QuestionForm::prompts(std::span<const Question> questions, const Tokenizer& tokenizer, std::size_t max_tokens,
                                          std::size_t& left_out) const {
  std::vector<Prompt> prompts;
  for (const Question& question : questions) {
    std::string rendered = text(question);
    TokenIds ids = tokenizer.encode(rendered, adds_special());
    if (ids.size() > max_tokens) {
      ++left_out;
    } else {
      prompts.push_back(
          {.text = std::move(rendered), .ids = std::move(ids), .source = 0, .reference = question.reference, .question = question.prompt});
    }
  }
  return prompts;
}

}  // namespace paretofl
