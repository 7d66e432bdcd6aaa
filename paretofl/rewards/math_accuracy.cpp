#include "paretofl/rewards/math_accuracy.h"

#include "paretofl/core/error.h"
#include "paretofl/mathematics/math_answer.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/reasoning_tags.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

void MathAccuracy::Options::describe(OptionVisitor& visit) { visit.text("tag", tag, "name of the tags around the answer"); }

MathAccuracy::MathAccuracy(Options options) : options_(std::move(options)) { check_tag_name(options_.tag, "math_accuracy"); }

std::vector<double> MathAccuracy::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    const std::string_view reference = boxed_text(answer.reference).value_or(answer.reference);
    expect(is_math_answer(reference), "math_accuracy: expected a reference with an answer of 1 to 1000 bytes, found '{}'",
           shown(answer.reference));
    const auto tagged = tagged_text(answer.completion, options_.tag);
    const auto boxed = boxed_text(tagged.value_or(answer.completion));
    const auto answered = boxed ? boxed : tagged;
    scores.push_back(answered && same_math_answer(*answered, reference) ? 1 : 0);
  }
  return scores;
}

}  // namespace paretofl
