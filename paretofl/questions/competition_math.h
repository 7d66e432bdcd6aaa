#pragma once

#include <string_view>
#include <vector>

#include "paretofl/questions/question_set.h"

namespace paretofl {

/// Problems of MATH (Hendrycks et al. 2021, "Measuring Mathematical Problem Solving With the MATH Dataset"): a JSON object
/// per line with the text `problem` and either `solution`, in which the answer is boxed and which is the reference as a
/// whole, or only `answer`, the reference (which may be empty: two
/// published ones are). Throws Error naming `name` and the line on anything else.
std::vector<Question> parse_competition_math(std::string_view text, std::string_view name);

/// math/train-answers.jsonl, the training problems with their final answers alone, and math/test.jsonl under data_root,
/// plain or with .gz behind the name, read_question_files().
QuestionSet load_competition_math(const QuestionContext& context);

}  // namespace paretofl
