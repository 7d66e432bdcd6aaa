#include "paretofl/rewards/final_number.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/ascii.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/answer_words.h"
#include "paretofl/rewards/number_context.h"
#include "paretofl/rewards/number_terms.h"
#include "paretofl/rewards/number_text.h"

namespace paretofl {
namespace {

using Found = NumberText::Found;

// GSM8K's solutions say what a calculator made of a term: 2*3=<<2*3=6>>6.
std::string without_calculations(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::size_t begin = text.find("<<");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find(">>", begin);
    if (end == std::string_view::npos) break;
    rest += text.substr(0, begin);
    text.remove_prefix(end + 2);
  }
  return rest += text;
}

// A text without tags and special tokens: <br>, </s>, <|end|>.
std::string without_tags(std::string_view text) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    const bool opens = text[at] == '<' && at + 1 < text.size() && (is_letter(text[at + 1]) || text[at + 1] == '/' || text[at + 1] == '|');
    const std::size_t end = opens ? text.find_first_of("<>\n", at + 1) : std::string_view::npos;
    if (end != std::string_view::npos && text[end] == '>') {
      rest += ' ';
      at = end + 1;
    } else {
      rest += text[at++];
    }
  }
  return rest;
}

// Whether words deny something: not, isn't, never.
bool denies(std::span<const std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "not" || words[i] == "never" || words[i] == "cannot") return true;
    if (words[i] == "t" && i > 0 && words[i - 1].ends_with('n')) return true;
  }
  return false;
}

// Whether the clause that a text ends in denies what follows: is not, isn't, can't be, is never equal to; but not "the eggs not sold are".
bool ends_in_denial(std::string_view text) {
  const std::size_t clause = text.find_last_of(".,;:?!\n=()");
  std::vector<std::string> words = lower_words_of(clause == std::string_view::npos ? text : text.substr(clause + 1));
  while (!words.empty() && has_word({words.back()}, {"be", "equal", "to", "exactly", "actually", "just"})) words.pop_back();
  return denies(std::span(words).last(std::min<std::size_t>(words.size(), words.empty() || words.back() != "t" ? 1 : 2)));
}

// Whether a text ends in what makes the number behind it a bound: more than; but not "more than 17, so".
bool ends_in_comparison(std::string_view text) {
  const std::size_t other = text.find_last_of("0123456789");
  const std::vector<std::string> words = lower_words_of(other == std::string_view::npos ? text : text.substr(other + 1));
  if (words.size() < 2 || words.back() != "than") return false;
  return has_word({words[words.size() - 2]}, {"more", "less", "fewer", "greater", "larger", "smaller"});
}

// Whether what follows a number multiplies it: 5k, 5x.
bool is_multiplied(std::string_view behind) {
  return !behind.empty() && std::string_view("kKnxyz").find(behind[0]) != std::string_view::npos && letter_at(behind, 1) == 0;
}

// Whether what follows a number makes it a bound: 5+, 5 + eggs.
bool is_bound(std::string_view behind) {
  const std::string_view sign = behind.substr(std::min(behind.find_first_not_of(" $"), behind.size()));
  if (!sign.starts_with('+')) return false;
  const std::size_t next = sign.find_first_not_of(" $", 1);
  return next == std::string_view::npos || is_letter(sign[next]) || sign[next] == ')' || sign[next] == '}';
}

// Whether a plus ends a sentence behind a number: 5+.
bool is_bound_of_sentence(std::string_view behind) {
  return behind.starts_with('+') && trimmed(behind.substr(1)).find_first_not_of(".)!*$") == std::string_view::npos;
}

// Whether words or signs around a number make another number of it, or say that it is not meant.
bool is_changed(std::string_view before, const Found& number, std::string_view behind) {
  const bool fraction = number.value && number.value->denominator() != 1;
  return is_changed_by_context(before, behind) || is_multiplied(behind) || goes_on_in_words(behind) || begins_in_words(before, fraction);
}

// Whether two numbers are two values of one variable: x = 41 or x = 42; but "2x = 36 or x = 18" says one thing in two ways.
bool is_other_value(std::string_view before, std::string_view between) {
  const std::size_t equals = between.rfind('=');
  const std::vector<std::string> words = lower_words_of(between.substr(0, std::min(equals, between.size())));
  std::string_view left = trimmed(before);
  if (equals == std::string_view::npos || words.size() != 2 || (words[0] != "or" && words[0] != "and") || !left.ends_with('='))
    return false;
  left = left.substr(0, left.find_last_not_of(" =$}") + 1);
  const std::string& name = words[1];
  if (lower_case(left.substr(left.size() - std::min(left.size(), name.size()))) != name) return false;
  const std::string_view rest = left.substr(0, left.size() - name.size());
  const std::size_t last = rest.find_last_not_of(' ');
  return last == std::string_view::npos || (!is_digit(rest[last]) && std::string_view("+-*/)}").find(rest[last]) == std::string_view::npos);
}

// Whether what stands between two numbers says that the first is meant: 42, not 41; 42 (not 41); 42 rather than 41.
bool is_correction(std::string_view between) {
  constexpr std::size_t kFewWords = 4;
  if (between.find_first_of(".?!;:\n=") != std::string_view::npos) return false;
  const std::vector<std::string> words = lower_words_of(between);
  const std::size_t n = words.size();
  if (n == 0 || n > kFewWords) return false;
  if (n > 1) {
    const std::string pair = words[n - 2] + " " + words[n - 1];
    if (pair == "rather than" || pair == "instead of" || pair == "but not" || pair == "and not") return true;
  }
  if (words.back() != "not") return false;
  const std::string_view rest = trimmed(between.substr(0, between.rfind(words.back())));
  return n == 1 || rest.ends_with(',') || rest.ends_with('(');
}

// Whether a text leaves open which number it means, or says that it isn't the number it names.
bool is_evasive(const NumberText& read, AnswerPlace place) {
  const std::string_view text = read.text;
  const std::vector<std::string> words = lower_words_of(text);
  if (read.unknown_command || denies(words) || has_word(words, {"or", "nor", "either", "neither"})) return true;
  for (std::size_t at = text.find_first_of("<>"); at != std::string_view::npos; at = text.find_first_of("<>", at + 1)) {
    const bool arrow = text[at] == '>' && at > 0 && (text[at - 1] == '-' || text[at - 1] == '=');
    if (!arrow) return true;
  }
  return std::any_of(read.numbers.begin(), read.numbers.end(), [&](const Found& number) {
    const std::string_view behind = text.substr(number.end);
    const std::string_view before = text.substr(0, number.begin);
    return ends_in_comparison(before) || is_changed(before, number, behind) || is_bound(behind) ||
           (place == AnswerPlace::kMarked && is_beside_number_word(before, behind));
  });
}

// Whether between two numbers there is nothing but a sign that separates the items of a list, so that neither is said to be the answer.
bool is_list(std::string_view between) {
  const bool separated = between.find_first_of(",&|;") != std::string_view::npos && between.find('\n') == std::string_view::npos;
  return separated && between.find_first_not_of(" \t$*,&|;") == std::string_view::npos;
}

// The number of a text that has one, perhaps more than once. In a place of its own, 5! is a factorial.
std::optional<ExactNumber> only_number(const NumberText& read, AnswerPlace place) {
  if (is_evasive(read, place) || read.numbers.empty()) return std::nullopt;
  const auto is_factorial = [&](const Found& number) { return std::string_view(read.text).substr(number.end).starts_with('!'); };
  if (place != AnswerPlace::kOpen && std::any_of(read.numbers.begin(), read.numbers.end(), is_factorial)) return std::nullopt;
  const auto last = read.numbers.back().value;
  const auto differs = [&](const Found& number) { return number.value != last; };
  const std::size_t equals = read.text.find_last_of('=', read.numbers.back().begin);
  const std::size_t side = equals == std::string::npos ? 0 : equals;
  const auto first = std::find_if(read.numbers.begin(), read.numbers.end(), [&](const Found& number) { return number.begin >= side; });
  if (!last || std::any_of(first, read.numbers.end(), differs)) return std::nullopt;
  // The other sides of the equation.
  std::size_t begin = 0;
  while (begin < side) {
    const std::size_t end = read.text.find('=', begin);
    const NumberText other(std::string_view(read.text).substr(begin, end - begin));
    const bool alone = other.numbers.size() == 1 &&
                       other.text.substr(0, other.numbers[0].begin).find_first_not_of(" \t\r\n$*({[-+~") == std::string::npos &&
                       other.text.substr(other.numbers[0].end).find_first_not_of(" \t\r\n$*)}].,%") == std::string::npos;
    if (alone && other.numbers[0].value != last) return std::nullopt;
    begin = end + 1;
  }
  return last;
}

std::optional<ExactNumber> last_number(const NumberText& read, AnswerPlace place) {
  if (read.numbers.empty()) return std::nullopt;
  const Found& last = read.numbers.back();
  if (read.numbers.size() > 1) {
    const std::size_t end = read.numbers[read.numbers.size() - 2].end;
    if (is_correction(std::string_view(read.text).substr(end, last.begin - end))) {
      NumberText corrected = read;
      corrected.numbers.pop_back();
      return last_number(corrected, place);
    }
  }
  const std::string_view all_before_last = std::string_view(read.text).substr(0, last.begin);
  const std::string_view behind = std::string_view(read.text).substr(last.end);
  if (ends_in_denial(all_before_last) || ends_in_comparison(all_before_last)) return std::nullopt;
  if (is_changed(all_before_last, last, behind) || is_bound_of_sentence(behind)) return std::nullopt;
  if (read.numbers.size() == 1) return last.value;
  const Found& other = read.numbers[read.numbers.size() - 2];
  if (other.value == last.value) return last.value;
  if (is_compound(all_before_last.substr(0, other.begin), all_before_last.substr(other.end), behind)) return std::nullopt;
  const std::string_view between = std::string_view(read.text).substr(other.end, last.begin - other.end);
  const std::vector<std::string> words = lower_words_of(between);
  const bool broken = between.find('\n') != std::string_view::npos;
  if (is_other_value(all_before_last.substr(0, other.begin), between)) return std::nullopt;
  if (between.find('=') != std::string_view::npos || (broken && words != std::vector<std::string>{"or"})) return last.value;
  const std::string_view line = std::string_view(read.text).substr(last.end, read.text.find('\n', last.end) - last.end);
  if (is_list(between)) return std::nullopt;
  if (is_operation(between, behind) && line.find('=') == std::string_view::npos) return std::nullopt;
  const bool one_sentence = between.find_first_of(".?!;:") == std::string_view::npos;
  const std::string_view all_before = std::string_view(read.text).substr(0, other.begin);
  const std::string_view before = all_before.substr(0, all_before.find_last_not_of(" \t\r\n$") + 1);
  // "3 + 4 or 7" and "2x = 14 or 7 = x" say one thing in two ways.
  const bool restates = before.ends_with('+') || before.ends_with('*') || before.ends_with('/') || line.find('=') != std::string_view::npos;
  if (one_sentence && !restates && words.size() <= 4 && has_word(words, {"or", "nor"})) return std::nullopt;
  const bool joined = std::all_of(words.begin(), words.end(), [](const std::string& word) { return word == "and" || word == "to"; });
  if (!joined) return last.value;
  if (place == AnswerPlace::kTagged || has_word(words, {"and"})) return std::nullopt;
  const bool range = has_word(words, {"to"}) || trimmed(between).find('-') != std::string_view::npos;
  const std::vector<std::string> before_words = lower_words_of(before);
  return range && (before_words.empty() || before_words.back() != "from") ? std::nullopt : last.value;
}

}  // namespace

std::optional<ExactNumber> final_number(std::string_view text, AnswerPlace place) {
  const NumberText read(without_tags(without_calculations(text)));
  return place == AnswerPlace::kMarked || lower_words_of(read.text).empty() ? only_number(read, place) : last_number(read, place);
}

}  // namespace paretofl
