#include "paretofl/rewards/number_context.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "paretofl/core/ascii.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/answer_words.h"

namespace paretofl {
namespace {

using Phrase = std::string_view;

// What makes another number of the one behind it.
constexpr auto kChanges = std::to_array<Phrase>(
    {"twice",        "thrice",      "double",       "triple",      "quadruple",     "half",       "half of",      "third of",
     "thirds of",    "quarter of",  "quarters of",  "fourth of",   "fourths of",    "fifth of",   "fifths of",    "sixth of",
     "eighth of",    "tenth of",    "percent of",   "fraction of", "times",         "square of",  "cube of",      "root of",
     "cube root of", "multiple of", "multiples of", "power of",    "reciprocal of", "inverse of", "logarithm of", "factorial of",
     "negation of",  "opposite of", "mod",          "modulo",      "sqrt",          "log",        "ln",           "exp",
     "sin",          "cos",         "tan",          "abs"});

// What names a number that divides it; but "by a factor of 5" has the number itself.
constexpr auto kDivisors = std::to_array<Phrase>({"factor of", "factors of", "divisor of", "divisors of"});
constexpr auto kGrowths = std::to_array<Phrase>({"by a factor of", "by factor of"});

constexpr auto kSmallNumbers = std::to_array<Phrase>({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"});

// What makes a bound of it, whatever is said to be bounded.
constexpr auto kBounds = std::to_array<Phrase>({"exceeds", "exceed", "than or equal to", "bounded by", "not exceed"});

// What makes a bound of it where nothing else has that number: it is at least 5.
constexpr auto kBareBounds =
    std::to_array<Phrase>({"at least", "at most", "up to", "over", "under", "above", "below", "beyond", "as much as", "as many as",
                           "as few as", "as little as", "not above", "not below", "not over", "not under"});

// What says that another number is meant.
constexpr auto kExclusions =
    std::to_array<Phrase>({"rather than", "instead of", "as opposed to", "other than", "anything but", "everything but", "all but",
                           "except", "except for", "unlike", "but not", "no es", "no son", "nicht", "pas"});
constexpr auto kOtherScripts = std::to_array<Phrase>(
    {"\u4e0d\u662f", "\u4e26\u975e", "\u5e76\u975e", "\u4e0d\u7b49\u4e8e", "\u81f3\u5c11", "\u6700\u591a", "\u8d85\u8fc7", "\u4e0d\u5230"});

// LaTeX's commands after which a number in parentheses is itself; after others it is an argument.
constexpr auto kPlainCommands = std::to_array<Phrase>({"text", "textbf",    "mathrm",  "mathbf",     "mbox",       "boxed",  "left",
                                                       "big",  "bigl",      "Big",     "Bigl",       "quad",       "qquad",  "to",
                                                       "so",   "therefore", "implies", "Rightarrow", "rightarrow", "approx", "equiv"});

// Words after which a number says what something is.
constexpr auto kCopulas =
    std::to_array<Phrase>({"is", "are", "was", "were", "be", "been", "equals", "equal", "s", "answer", "total", "result", "just"});

// Units, each followed by smaller ones of its kind.
constexpr auto kSmaller = std::to_array<std::pair<Phrase, Phrase>>(
    {{"year", "month"},  {"year", "week"}, {"year", "day"},        {"month", "day"},        {"week", "day"},     {"day", "hour"},
     {"hour", "minute"}, {"hr", "min"},    {"h", "min"},           {"minute", "second"},    {"min", "sec"},      {"foot", "inch"},
     {"feet", "inch"},   {"ft", "in"},     {"yard", "foot"},       {"yard", "feet"},        {"dollar", "cent"},  {"euro", "cent"},
     {"pound", "ounce"}, {"lb", "oz"},     {"kilometer", "meter"}, {"meter", "centimeter"}, {"kilogram", "gram"}});

bool is_phrase_end(const std::vector<std::string>& words, Phrase phrase, std::size_t* left = nullptr) {
  std::size_t end = words.size();
  while (!phrase.empty()) {
    const std::size_t space = phrase.rfind(' ');
    const Phrase word = space == Phrase::npos ? phrase : phrase.substr(space + 1);
    if (end == 0 || words[--end] != word) return false;
    phrase = space == Phrase::npos ? Phrase() : phrase.substr(0, space);
  }
  if (left != nullptr) *left = end;
  return true;
}

template <typename List>
bool ends_in(const std::vector<std::string>& words, const List& phrases) {
  return std::any_of(phrases.begin(), phrases.end(), [&words](Phrase phrase) { return is_phrase_end(words, phrase); });
}

bool ends_in_bare_bound(const std::vector<std::string>& words) {
  return std::any_of(kBareBounds.begin(), kBareBounds.end(), [&words](Phrase phrase) {
    std::size_t left = 0;
    if (!is_phrase_end(words, phrase, &left)) return false;
    return left == 0 || std::find(kCopulas.begin(), kCopulas.end(), words[left - 1]) != kCopulas.end();
  });
}

// Whether a text ends in a comparison's sign; arrows and the sign of a quotation are none.
bool ends_in_comparison_sign(std::string_view text) {
  for (const std::string_view command : {"\\leq", "\\geq", "\\neq", "\\le", "\\ge", "\\ne", "\\lt", "\\gt", "\\leqslant", "\\geqslant"}) {
    if (text.ends_with(command)) return true;
  }
  if (text.ends_with("<=") || text.ends_with(">=") || text.ends_with("!=") || text.ends_with("<>")) return true;
  if (text.ends_with("<")) return true;
  if (!text.ends_with(">") || text.size() == 1) return false;
  const char before = text[text.size() - 2];
  return before != '-' && before != '=' && before != '\n' && before != '>';
}

// Whether a text ends in what takes the number behind it as an argument or factor: f(, 2(, )(, x +, n *.
bool ends_in_application(std::string_view text) {
  if (text.ends_with("(") && text.size() > 1) {
    const char before = text[text.size() - 2];
    if (before == ')' || is_digit(before)) return true;
    if (is_letter(before)) {
      text.remove_suffix(1);
      std::size_t begin = text.size();
      while (begin > 0 && is_letter(text[begin - 1])) --begin;
      if (begin > 0 && text[begin - 1] == '\\') {
        const std::string_view command = text.substr(begin);
        return std::find(kPlainCommands.begin(), kPlainCommands.end(), command) == kPlainCommands.end();
      }
      const std::vector<std::string> words = lower_words_of(text);
      return !words.empty() && (words.back().size() == 1 || ends_in(words, kChanges));
    }
  }
  if (!text.ends_with("+") && !text.ends_with("*")) return false;
  const std::string_view operand = trimmed(text.substr(0, text.size() - 1));
  const bool letter = !operand.empty() && std::string_view("nxyz").find(operand.back()) != std::string_view::npos;
  return letter && (operand.size() == 1 || letter_at(operand, operand.size() - 2) == 0);
}

// Whether a share stands before: 10% of, 2/3 of the.
bool ends_in_share(std::string_view text) {
  std::string_view rest = trimmed(text);
  for (const std::string_view article : {"the", "those", "these", "all"}) {
    if (rest.ends_with(article)) rest = trimmed(rest.substr(0, rest.size() - article.size()));
  }
  if (!rest.ends_with("of")) return false;
  rest = trimmed(rest.substr(0, rest.size() - 2));
  if (rest.ends_with("%")) return true;
  const std::size_t number = rest.find_last_not_of("0123456789/");
  const std::string_view share = rest.substr(number == std::string_view::npos ? 0 : number + 1);
  return share.find('/') != std::string_view::npos;
}

// Whether a text goes on by saying that the number is not the answer: is wrong, isn't right, eggs is not the answer.
bool begins_with_rejection(const std::vector<std::string>& words) {
  std::size_t verb = 0;
  while (verb < 2 && verb < words.size() && !has_word({words[verb]}, {"is", "was", "isn", "wasn"})) ++verb;
  if (verb == 2 || verb + 1 >= words.size()) return false;
  const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(verb) + 1, words.end());
  if (has_word({rest[0]}, {"wrong", "incorrect", "false", "mistaken", "impossible"})) return true;
  const bool denied = rest[0] == "not" || rest[0] == "t";
  return denied && rest.size() > 1 && has_word({rest[1]}, {"it", "right", "correct", "the", "true", "possible", "what"});
}

// Whether the number is an ordinal one that a small number makes a fraction of: one 42nd.
bool is_fraction_of_ordinal(const std::vector<std::string>& words, std::string_view behind) {
  if (words.empty() || std::find(kSmallNumbers.begin(), kSmallNumbers.end(), words.back()) == kSmallNumbers.end()) return false;
  const std::vector<std::string> next = lower_words_of(behind.substr(0, 4));
  return !next.empty() && is_letter(behind[0]) && has_word({next[0]}, {"st", "nd", "rd", "th", "sts", "nds", "rds", "ths"});
}

bool begins_with_change(std::string_view behind) {
  const std::string_view text = trimmed(behind.substr(0, 24));
  const std::vector<std::string> words = lower_words_of(text);
  if (!text.empty() && is_letter(text[0]) && !words.empty()) {
    if (begins_with_rejection(words)) return true;
    if (has_word({words[0]}, {"squared", "cubed"})) return true;
    const bool joined = words.size() > 1 && (words[0] == "or" || (words[0] == "and" && words.size() == 2));  // and less sugar
    if (joined && has_word({words[1]}, {"more", "less", "fewer", "greater", "higher", "lower", "above", "below", "over", "under", "up"}))
      return true;
  }
  if (text.empty() || std::string_view("+-*/").find(text[0]) == std::string_view::npos) return false;
  const std::string_view operand = trimmed(text.substr(1));
  const bool letter = !operand.empty() && std::string_view("nxyz").find(operand[0]) != std::string_view::npos;
  return letter && letter_at(operand, 1) == 0;
}

bool is_unit(std::string_view word, std::string_view unit) {
  if (!word.starts_with(unit)) return false;
  const std::string_view ending = word.substr(unit.size());
  return ending.empty() || ending == "s" || ending == "es";
}

}  // namespace

bool is_changed_by_context(std::string_view before, std::string_view behind) {
  constexpr std::size_t kReach = 160;
  if (before.size() > kReach) before.remove_prefix(before.size() - kReach);
  const std::size_t last = before.find_last_not_of(" \t\r\n$*_");
  std::string_view text = before.substr(0, last == std::string_view::npos ? 0 : last + 1);
  if (begins_with_change(behind) || ends_in_comparison_sign(text) || ends_in_application(text) || ends_in_share(text)) return true;
  const std::string_view raw = trimmed(before);
  if (raw.ends_with("*") && ends_in_application(raw)) return true;
  text = text.substr(0, std::min(text.find_last_not_of(" ({}") + 1, text.size()));
  if (std::any_of(kOtherScripts.begin(), kOtherScripts.end(), [text](Phrase phrase) { return text.ends_with(phrase); })) return true;
  const std::size_t clause = text.find_last_of(".,;:?!\n=()0123456789");
  std::vector<std::string> words = lower_words_of(clause == std::string_view::npos ? text : text.substr(clause + 1));
  while (!words.empty() && has_word({words.back()}, {"the", "those", "these", "all", "a", "exactly"})) words.pop_back();
  if (is_fraction_of_ordinal(words, behind) || (ends_in(words, kDivisors) && !ends_in(words, kGrowths))) return true;
  return ends_in(words, kChanges) || ends_in(words, kBounds) || ends_in(words, kExclusions) || ends_in_bare_bound(words);
}

bool is_compound(std::string_view between, std::string_view behind) {
  std::vector<std::string> words = lower_words_of(between);
  if (words.size() == 2 && words.back() == "and") words.pop_back();
  const std::vector<std::string> next = lower_words_of(behind.substr(0, 24));
  const bool apart = between.find_first_of(".;:?!\n=()") != std::string_view::npos;
  if (apart || words.size() != 1 || next.empty()) return false;
  return std::any_of(kSmaller.begin(), kSmaller.end(),
                     [&](const auto& units) { return is_unit(words[0], units.first) && is_unit(next[0], units.second); });
}

}  // namespace paretofl
