#include "paretofl/completions/question_part.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"

namespace paretofl {

std::vector<QuestionLine> question_lines(std::span<const Prompt> prompts, const std::string& task) {
  std::vector<QuestionLine> lines;
  for (const Prompt& prompt : prompts) lines.push_back({task, prompt.question.empty() ? prompt.text : prompt.question, prompt.reference});
  return lines;
}

std::vector<Prompt> read_part_prompts(const std::filesystem::path& file, const DialogueForm& form, const Tokenizer& tokenizer,
                                      std::span<const std::string> sources) {
  std::vector<Prompt> prompts;
  for (QuestionLine& line : read_question_lines(file)) {
    std::optional<Prompt> prompt = form.prompt(line.prompt, tokenizer);
    expect(prompt.has_value(), "{}: expected prompts of at most max_prompt_tokens tokens, found one of {}", file.string(),
           form.whole_prompt(line.prompt, tokenizer).ids.size());
    const auto found = std::find(sources.begin(), sources.end(), line.task);
    prompt->source = found == sources.end() ? kNoSource : static_cast<std::uint32_t>(found - sources.begin());
    prompt->reference = std::move(line.reference);
    prompts.push_back(*std::move(prompt));
  }
  return prompts;
}

std::vector<Prompt> read_part_questions(const std::filesystem::path& file, const std::string& task, const QuestionForm& form,
                                        const Tokenizer& tokenizer, std::size_t max_tokens) {
  std::vector<Question> questions;
  for (QuestionLine& line : read_question_lines(file)) {
    if (task.empty() || line.task == task) questions.push_back({.prompt = std::move(line.prompt), .reference = std::move(line.reference)});
  }
  expect(!questions.empty(), "{}: expected questions of the task '{}', found none", file.string(), printable(task));
  std::size_t left_out = 0;
  std::vector<Prompt> prompts = form.prompts(questions, tokenizer, max_tokens, left_out);
  expect(left_out == 0, "{}: expected prompts of at most {} tokens, found {} longer ones", file.string(), max_tokens, left_out);
  return prompts;
}

}  // namespace paretofl
