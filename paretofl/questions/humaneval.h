#pragma once

#include <string_view>

#include "paretofl/questions/question_set.h"

namespace paretofl {

/// Questions of HumanEval (Chen et al. 2021, "Evaluating Large Language Models Trained on Code"): a JSON object per line with
/// the texts `prompt`, which a program begins with, `canonical_solution`, which continues it, `test`, which defines
/// check(candidate), and `entry_point`, the function's name. The reference is for the reward code_accuracy. Throws Error
/// naming `name` and the line on anything else.
std::vector<Question> parse_humaneval(std::string_view text, std::string_view name);

/// The published set: humaneval/HumanEval.jsonl under data_root, plain or with .gz behind the name. It is made to test on: nothing to train
/// on, nor to choose a checkpoint by.
QuestionSet load_humaneval(const QuestionContext& context);

}  // namespace paretofl
