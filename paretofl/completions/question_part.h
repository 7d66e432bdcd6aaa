#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "paretofl/completions/dialogue_form.h"
#include "paretofl/completions/question_form.h"
#include "paretofl/data/prompt_set.h"
#include "paretofl/parties/question_lines.h"

namespace paretofl {

// The files of prompts and questions in a party's folder.

inline constexpr const char* kTrainQuestions = "train.jsonl";
inline constexpr const char* kValidationQuestions = "validation.jsonl";
inline constexpr const char* kTestQuestions = "test.jsonl";

/// The lines of prompts, with the name of their task where it is given: the question of those that have one, else the text.
std::vector<QuestionLine> question_lines(std::span<const Prompt> prompts, const std::string& task = {});

/// Prompts of the lines' dialogues; the source of each is the number of its line's task among `sources`, or kNoSource. Throws Error, naming
/// the file, also for dialogues without a prompt that is short enough.
std::vector<Prompt> read_part_prompts(const std::filesystem::path& file, const DialogueForm& form, const Tokenizer& tokenizer,
                                      std::span<const std::string> sources);

/// The source of a prompt of which it is not known.
inline constexpr std::uint32_t kNoSource = UINT32_MAX;

/// Prompts that put the questions of the lines of one task, all lines where `task` is empty. Throws Error, naming the file, also where the
/// task has none, and for prompts of more than `max_tokens` tokens.
std::vector<Prompt> read_part_questions(const std::filesystem::path& file, const std::string& task, const QuestionForm& form,
                                        const Tokenizer& tokenizer, std::size_t max_tokens);

}  // namespace paretofl
