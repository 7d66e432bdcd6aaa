#pragma once

#include <string_view>
#include <vector>

#include "paretofl/questions/question_set.h"

namespace paretofl {

/// Problems of DAPO-Math-17k (Yu et al. 2025, "DAPO: An Open-Source LLM Reinforcement Learning System at Scale") as it is published:
/// `prompt` is a list of one chat message of the user, `reward_model.ground_truth` the answer. The instruction that every published prompt
/// has before and after the problem is taken off where it is there, as a task brings its own. A problem that stands there more than once,
/// as in the published file, is taken the first time. Throws Error naming `name` and the line on anything else.
std::vector<Question> parse_dapo_math(std::string_view text, std::string_view name);

/// The set: dapo_math/dapo-math-17k.jsonl under data_root, plain or with .gz behind the name. It is published as Parquet; this is an export
/// of its rows as JSON lines. Of ten problems one is held out for validation; there are none for testing.
QuestionSet load_dapo_math(const QuestionContext& context);

}  // namespace paretofl
