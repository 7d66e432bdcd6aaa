#include "paretofl/rewards/math_accuracy.h"

#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "paretofl/mathematics/math_answer.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/number_sign.h"
#include "paretofl/rewards/reasoning_tags.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

// The answer in the last box of a text, with the sign before the box; empty where that is unclear. None without a box.
std::optional<std::string> boxed_answer(std::string_view text) {
  const auto boxed = boxed_text(text);
  if (!boxed) return std::nullopt;
  switch (sign_before_box(text, *boxed)) {
    case NumberSign::kPlus:
      return std::string(*boxed);
    case NumberSign::kUnclear:
      return "";
    case NumberSign::kMinus:
      break;
  }
  const bool terms = boxed->find_first_of("+-") != std::string_view::npos;
  return terms ? fmt::format("-({})", *boxed) : fmt::format("-{}", *boxed);
}

}  // namespace

void MathAccuracy::Options::describe(OptionVisitor& visit) { visit.text("tag", tag, "name of the tags around the answer"); }

MathAccuracy::MathAccuracy(Options options) : options_(std::move(options)) { check_tag_name(options_.tag, "math_accuracy"); }

std::vector<double> MathAccuracy::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    const std::string reference = boxed_answer(answer.reference).value_or(answer.reference);
    expect(is_math_answer(reference), "math_accuracy: expected a reference with an answer of 1 to 1000 bytes, found '{}'",
           shown(answer.reference));
    const auto tagged = tagged_text(answer.completion, options_.tag);
    const auto boxed = boxed_answer(tagged.value_or(answer.completion));
    const auto answered = boxed ? std::optional<std::string_view>(*boxed) : tagged;
    const bool signed_tag = tagged && has_minus_before_tag(answer.completion, *tagged, options_.tag);
    scores.push_back(answered && !signed_tag && same_math_answer(*answered, reference) ? 1 : 0);
  }
  return scores;
}

}  // namespace paretofl
