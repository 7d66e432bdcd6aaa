#include "paretofl/rewards/gsm8k_accuracy.h"

#include "paretofl/core/error.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/number_text.h"
#include "paretofl/rewards/reasoning_tags.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr std::string_view kMark = "####";

std::optional<ExactNumber> answered_number(std::string_view text) {
  const std::size_t mark = text.rfind(kMark);
  if (mark != std::string_view::npos) {
    const std::string_view after = trimmed(text.substr(mark + kMark.size()));
    const auto numbers = numbers_of(after.substr(0, after.find('\n')));
    return numbers.empty() ? std::nullopt : numbers.front();
  }
  const auto numbers = numbers_of(boxed_text(text).value_or(text));
  return numbers.empty() ? std::nullopt : numbers.back();
}

}  // namespace

void Gsm8kAccuracy::Options::describe(OptionVisitor& visit) { visit.text("tag", tag, "name of the answer's tags"); }

Gsm8kAccuracy::Gsm8kAccuracy(Options options) : options_(std::move(options)) { check_tag_name(options_.tag, "gsm8k_accuracy"); }

std::vector<double> Gsm8kAccuracy::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    const auto reference = answered_number(answer.reference);
    expect(reference.has_value(), "gsm8k_accuracy: expected a reference with a number, found '{}'", shown(answer.reference));
    const auto number = answered_number(tagged_text(answer.completion, options_.tag).value_or(answer.completion));
    scores.push_back(number == reference ? 1 : 0);
  }
  return scores;
}

}  // namespace paretofl
