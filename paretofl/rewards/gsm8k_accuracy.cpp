#include "paretofl/rewards/gsm8k_accuracy.h"

#include "paretofl/core/error.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/final_number.h"
#include "paretofl/rewards/number_sign.h"
#include "paretofl/rewards/reasoning_tags.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr std::string_view kMark = "####";

std::optional<ExactNumber> boxed_number(std::string_view text, std::string_view box) {
  return with_sign(final_number(box, AnswerPlace::kMarked), sign_before_box(text, box));
}

std::optional<ExactNumber> answered_number(std::string_view text, AnswerPlace place) {
  const std::size_t mark = text.rfind(kMark);
  std::string_view line = mark == std::string_view::npos ? std::string_view() : trimmed(text.substr(mark + kMark.size()));
  line = line.substr(0, line.find('\n'));
  const std::size_t box = std::max(text.rfind("\\boxed") + 1, text.rfind("\\fbox") + 1);  // 0 without one
  if (mark == std::string_view::npos && box == 0) return final_number(text, place);
  const bool boxed = mark == std::string_view::npos || (box > mark && text.data() + box > line.data() + line.size());
  const auto number = boxed ? boxed_number(text, boxed_text(text).value_or(text.substr(box))) : final_number(line, AnswerPlace::kMarked);
  for (const std::string_view other : boxed_texts(text)) {
    if (boxed_number(text, other) != number) return std::nullopt;
  }
  return number;
}

}  // namespace

void Gsm8kAccuracy::Options::describe(OptionVisitor& visit) { visit.text("tag", tag, "name of the tags around the answer"); }

Gsm8kAccuracy::Gsm8kAccuracy(Options options) : options_(std::move(options)) { check_tag_name(options_.tag, "gsm8k_accuracy"); }

std::optional<ExactNumber> Gsm8kAccuracy::answer_of(std::string_view completion) const {
  const auto last = tagged_text(completion, options_.tag);
  if (!last) return answered_number(completion, AnswerPlace::kOpen);
  if (has_minus_before_tag(completion, *last, options_.tag)) return std::nullopt;
  const auto number = answered_number(*last, AnswerPlace::kTagged);
  const std::string open = "<" + options_.tag + ">";
  const std::string close = "</" + options_.tag + ">";
  const std::size_t reasoned = completion.rfind("</think>");
  std::string_view rest = completion.substr(reasoned == std::string_view::npos ? 0 : reasoned);
  for (std::size_t at = rest.find(open); at != std::string_view::npos; at = rest.find(open)) {
    rest.remove_prefix(at + open.size());
    const std::string_view pair = rest.substr(0, rest.find(open));
    const std::size_t end = pair.find(close);
    if (end != std::string_view::npos && answered_number(pair.substr(0, end), AnswerPlace::kTagged) != number) return std::nullopt;
  }
  return number;
}

std::vector<double> Gsm8kAccuracy::scores(std::span<const Answer> answers) const {
  std::vector<double> scores;
  for (const Answer& answer : answers) {
    const auto reference = answered_number(answer.reference, AnswerPlace::kOpen);
    expect(reference.has_value(),
           "gsm8k_accuracy: expected a reference with one number, which 64-bit integers can say as a fraction, found '{}'",
           shown(answer.reference));
    scores.push_back(answer_of(answer.completion) == reference ? 1 : 0);
  }
  return scores;
}

}  // namespace paretofl
