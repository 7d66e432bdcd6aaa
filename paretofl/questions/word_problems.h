#pragma once

#include "paretofl/questions/generated_questions.h"

namespace paretofl {

struct WordProblemsOptions {
  GeneratedSizes sizes;
  std::int64_t largest = 20;

  void describe(OptionVisitor& visit);
};

/// Short stories of two steps about who has how many of what, from six templates with names, things and numbers:
/// "Ann has 5 apples. Ben gives Ann 3 more. Ann loses 2. How many apples does Ann have?" with "5+3=8, 8-2=6". Numbers are
/// uniform in [1, largest], except for factors, from 2 to 5, and for what is taken away, so that something is always left.
QuestionSet make_word_problems(const WordProblemsOptions& options, const QuestionContext& context);

}  // namespace paretofl
