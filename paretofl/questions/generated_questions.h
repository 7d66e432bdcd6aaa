#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "paretofl/core/random.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// How many questions a generated set has.
struct GeneratedSizes {
  std::int64_t training = 2000;
  std::int64_t validation = 100;
  std::int64_t test = 200;

  void describe(OptionVisitor& visit);
};

/// Distinct questions, as `draw` makes them. Whether a question is one of training (eight of ten), validation or test, its
/// own text decides, so that sets of different seeds and sizes share no question across these sides: a model may be trained
/// on one set and tested on another. Throws Error, calling the family `name`, if it has too few questions.
QuestionSet generate_questions(std::string_view name, const GeneratedSizes& sizes, Random random,
                               const std::function<Question(Random& random)>& draw);

/// A question whose worked solution is "<think>", the steps, "</think><answer>", the answer, "</answer>".
Question worked_question(std::string prompt, std::string_view steps, std::int64_t answer);

}  // namespace paretofl
