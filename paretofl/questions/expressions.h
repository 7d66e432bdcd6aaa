#pragma once

#include "paretofl/questions/generated_questions.h"

namespace paretofl {

struct ExpressionsOptions {
  GeneratedSizes sizes;
  std::int64_t fewest_operations = 2;
  std::int64_t most_operations = 3;
  std::int64_t largest = 9;
  std::int64_t limit = 99;

  void describe(OptionVisitor& visit);
};

/// Sums, differences and products with parentheses, worked from the inside: "3*(4+2)-5" with "4+2=6, 3*6=18, 18-5=13". A
/// binary tree of a uniform number of operations, each operation uniform of +, - and *, how many of the remaining ones stand
/// on its left uniform, and leaves uniform in [1, largest]. Trees with a result below 0 or above `limit` in any node are
/// drawn again. Parentheses stand where precedence needs them, and around a sum or difference on the right of one.
QuestionSet make_expressions(const ExpressionsOptions& options, const QuestionContext& context);

}  // namespace paretofl
