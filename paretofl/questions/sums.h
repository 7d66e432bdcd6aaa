#pragma once

#include "paretofl/questions/generated_questions.h"

namespace paretofl {

struct SumsOptions {
  GeneratedSizes sizes;
  std::int64_t fewest_terms = 2;
  std::int64_t most_terms = 4;
  std::int64_t largest = 9;

  void describe(OptionVisitor& visit);
};

/// Chains of additions and subtractions, worked from the left: "7+5-3" with "7+5=12, 12-3=9". The number of terms is
/// uniform, as is each term in [1, largest]; a sign is minus half of the time where the result so far stays at or above 0.
QuestionSet make_sums(const SumsOptions& options, const QuestionContext& context);

}  // namespace paretofl
