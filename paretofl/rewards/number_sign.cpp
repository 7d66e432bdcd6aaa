#include "paretofl/rewards/number_sign.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "paretofl/core/ascii.h"
#include "paretofl/rewards/answer_words.h"
#include "paretofl/rewards/number_spelling.h"

namespace paretofl {
namespace {

constexpr auto kNone = std::string_view::npos;

// Words after which "minus" is a sign.
constexpr auto kBeforeSign = std::to_array<std::string_view>({"is", "was", "are", "be", "to", "of", "equals", "answer", "exactly"});

// Words after which a minus with a space behind it may be a sign or a dash.
constexpr auto kBeforeDash = std::to_array<std::string_view>({"is", "was", "are", "be", "equals", "exactly"});

constexpr auto kCurrencies = std::to_array<std::string_view>({"US", "USD", "EUR", "GBP", "INR", "AUD", "CAD", "Rs.", "Rs"});

// LaTeX's commands whose argument is no part of the number behind it.
constexpr auto kSettings = std::to_array<std::string_view>(
    {"color", "textcolor", "colorbox", "hspace", "vspace", "mspace", "phantom", "hphantom", "vphantom", "kern", "label"});

bool is_one_of(char c, std::string_view characters) { return characters.find(c) != kNone; }

std::string_view without_end(std::string_view text, std::string_view characters) {
  return text.substr(0, text.find_last_not_of(characters) + 1);
}

// Takes a LaTeX command from the end of a text and returns its name, an empty one where there is none.
std::string_view take_command(std::string_view& text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  if (begin == 0 || begin == text.size() || text[begin - 1] != '\\') return {};
  const std::string_view name = text.substr(begin);
  text = text.substr(0, begin - 1);
  return name;
}

struct LastGroup {
  std::string_view before;
  std::string_view inside;
};

// The group in braces or parentheses that a text ends in.
std::optional<LastGroup> last_group(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  if (text.empty() || !is_one_of(text.back(), "})")) return std::nullopt;
  const char close = text.back();
  const char open = close == '}' ? '{' : '(';
  int depth = 0;
  for (std::size_t at = text.size(); at > 0 && at + kLongest > text.size(); --at) {
    depth += text[at - 1] == close ? 1 : text[at - 1] == open ? -1 : 0;
    if (depth == 0) return LastGroup{text.substr(0, at - 1), text.substr(at, text.size() - 1 - at)};
  }
  return std::nullopt;
}

// Takes from the end of a text something that may stand between a sign and its number. False where there is no such thing.
bool take_opening(std::string_view& text) {
  if (text.empty()) return false;
  const char last = text.back();
  const bool escaped = text.size() > 1 && text[text.size() - 2] == '\\';
  if (is_one_of(last, " \t$~*_({[\"`") || (escaped && is_one_of(last, ":;>/,!"))) {
    text.remove_suffix(escaped ? 2 : 1);
    return true;
  }
  if (last == '|' && text.ends_with("-|")) {
    text.remove_suffix(1);
    return true;
  }
  if (!take_command(text).empty()) return true;
  for (const std::string_view currency : kCurrencies) {
    if (!text.ends_with(currency)) continue;
    const std::string_view rest = text.substr(0, text.size() - currency.size());
    if (!rest.ends_with('-') && !rest.ends_with('{')) continue;
    text = rest;
    return true;
  }
  if (last != '}') return false;
  const auto group = last_group(text);
  if (!group) return false;
  const std::string_view inside = without_end(group->inside, " ~$");
  std::string_view before = group->before;
  const bool setting = is_among(kSettings, take_command(before));
  if (!setting && !inside.empty() && !is_among(kCurrencies, inside)) return false;
  text = setting ? before : group->before;
  return true;
}

// Takes the last word from a text.
std::string take_last_word(std::string_view& text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  const std::string word = lower_case(text.substr(begin));
  text = text.substr(0, text.find_last_not_of(" $*", begin == 0 ? kNone : begin - 1) + 1);
  if (begin == 0) text = {};
  return word;
}

// Whether a text ends in "negative", or in "minus" where it is no difference: 5 minus 3.
bool ends_in_sign_word(std::string_view text) {
  text = without_end(text, " $}");
  if (text.empty() || !is_letter(text.back())) return false;
  const std::string word = take_last_word(text);
  if (word != "minus") return word == "negative";
  if (text.empty()) return true;
  if (!is_letter(text.back())) return is_one_of(text.back(), "=:#({");
  return is_among(kBeforeSign, take_last_word(text));
}

// What a minus with a space behind it says of the number: a bullet of a list, a dash and a difference look like it too.
NumberSign sign_of_spaced(std::string_view left) {
  const std::string_view before = without_end(left, " *_$");
  if (before.empty() || is_one_of(before.back(), "={([")) return NumberSign::kMinus;
  const bool formula = without_end(left, " ").ends_with('$') && !is_digit(before.back());  // $- 5$
  if (formula) return NumberSign::kMinus;
  if (before.back() == ':') return NumberSign::kUnclear;
  if (!is_letter(before.back())) return NumberSign::kPlus;
  std::string_view rest = before;
  return is_among(kBeforeDash, take_last_word(rest)) ? NumberSign::kUnclear : NumberSign::kPlus;
}

// What a minus right before the number, or before its brackets, says of the number.
NumberSign sign_of_attached(std::string_view left) {
  if (left.empty()) return NumberSign::kMinus;
  const char before = left.back();
  if (before == '}') {  // \text{a loss of }-5, but no 2\text{ eggs}-5
    const auto group = last_group(left);
    std::string_view command = group ? group->before : std::string_view();
    const bool text = group && !group->inside.empty() && is_one_of(group->inside.back(), " :=") && !take_command(command).empty();
    return text ? NumberSign::kMinus : NumberSign::kPlus;
  }
  if (is_letter(before) || is_digit(before) || is_one_of(before, ")]")) return NumberSign::kPlus;
  if (before == '+' || left.ends_with("+/")) return NumberSign::kUnclear;
  const std::string_view operand = without_end(left, "*_$");  // **50**-5
  if (operand.size() < left.size() && !operand.empty() && (is_digit(operand.back()) || is_one_of(operand.back(), ")}"))) {
    return NumberSign::kPlus;
  }
  std::string_view outer = left;
  while (take_opening(outer)) {
  }
  const bool bracket = left.substr(outer.size()).find_first_of("({[|") != kNone;
  return bracket && outer.ends_with('-') ? NumberSign::kUnclear : NumberSign::kMinus;
}

}  // namespace

NumberSign sign_before(std::string_view before) {
  const std::string_view whole = before;
  while (take_opening(before)) {
  }
  if (before.empty()) return NumberSign::kPlus;
  if (before.back() == '-') {
    const bool spaced = whole.size() > before.size() && whole[before.size()] == ' ';
    before.remove_suffix(1);
    return spaced ? sign_of_spaced(before) : sign_of_attached(before);
  }
  if (const auto group = last_group(before)) {  // \text{-}5, {-}5, (-)5, \text{It is -}5
    std::string_view inside = group->inside;
    while (take_opening(inside)) {
    }
    if (inside.ends_with('-')) {
      inside.remove_suffix(1);
      std::string_view outside = group->before;
      if (outside.ends_with('\\')) outside.remove_suffix(1);
      take_command(outside);
      if (without_end(inside, " ~$*_").empty()) return sign_of_attached(without_end(outside, " "));
      return sign_of_attached(inside);
    }
  }
  return ends_in_sign_word(before) ? NumberSign::kMinus : NumberSign::kPlus;
}

NumberSign sign_before_box(std::string_view text, std::string_view box) {
  constexpr std::size_t kReach = 200;
  const std::string_view before = text.substr(0, static_cast<std::size_t>(box.data() - text.data()));
  return sign_before(one_spelling(before.substr(before.size() - std::min(before.size(), kReach))));
}

std::optional<ExactNumber> with_sign(const std::optional<ExactNumber>& number, NumberSign sign) {
  if (!number || sign == NumberSign::kUnclear) return std::nullopt;
  return sign == NumberSign::kMinus ? product(*number, ExactNumber(-1)) : number;
}

}  // namespace paretofl
