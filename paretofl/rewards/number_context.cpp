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
    std::to_array<Phrase>({"wrong answer is", "wrong answer was", "incorrect answer is", "incorrect answer was", "rather than",
                           "instead of", "as opposed to", "other than", "anything but", "everything but", "all but", "except", "except for",
                           "unlike", "but not", "no es", "no son", "nicht", "pas"});
constexpr auto kOtherScripts = std::to_array<Phrase>(
    {"\u4e0d\u662f", "\u4e26\u975e", "\u5e76\u975e", "\u4e0d\u7b49\u4e8e", "\u81f3\u5c11", "\u6700\u591a", "\u8d85\u8fc7", "\u4e0d\u5230"});

// LaTeX's commands after which a number in parentheses is itself; after others it is an argument.
constexpr auto kPlainCommands = std::to_array<Phrase>({"text", "textbf",    "mathrm",  "mathbf",     "mbox",       "boxed",  "left",
                                                       "big",  "bigl",      "Big",     "Bigl",       "quad",       "qquad",  "to",
                                                       "so",   "therefore", "implies", "Rightarrow", "rightarrow", "approx", "equiv"});

// Words after which a number says what something is.
constexpr auto kCopulas =
    std::to_array<Phrase>({"is", "are", "was", "were", "be", "been", "equals", "equal", "s", "answer", "total", "result", "just"});

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

// Whether a text goes on by saying that the number is not the answer: is wrong, isn't right, eggs is not the answer; which is wrong; but
// that can't be right.
bool begins_with_rejection(std::string_view behind) {
  constexpr std::size_t kReach = 64;
  const std::string_view text = behind.substr(0, std::min(behind.find('\n'), kReach));
  const std::size_t first = text.find_first_not_of(" $*_}");
  if (first == std::string_view::npos) return false;
  // "42, wrong." and "42 (incorrect)", but "42 wrong answers".
  const std::string_view open = text.substr(std::min(text.find_first_not_of(" ,(-*$"), text.size()));
  for (const std::string_view word : {"wrong", "incorrect"}) {
    const std::string_view end = open.starts_with(word) ? open.substr(word.size()) : open;
    const bool apart = text.substr(0, text.size() - open.size()).find_first_of(",(-") != std::string_view::npos;
    if (open.starts_with(word) && apart && (end.empty() || std::string_view(".,;!)").find(end[0]) != std::string_view::npos)) return true;
  }
  // A next sentence counts where it begins with what points back: 42. That is wrong.
  const std::size_t end = text.find_first_of(".?!;:=", first);
  std::vector<std::string> words = lower_words_of(text.substr(0, end));
  const bool further = words.empty() && end != std::string_view::npos;
  if (further) {
    words = lower_words_of(text.substr(end));
    while (!words.empty() && has_word({words[0]}, {"no", "wait", "but", "however", "sorry", "actually", "oops"}))
      words.erase(words.begin());
    if (words.empty() || !has_word({words[0]}, {"that", "this", "it", "which"})) return false;
  } else if (!is_letter(text[first]) && std::string_view(",(-\\").find(text[first]) == std::string_view::npos) {
    return false;
  }
  const auto points_back = [](const std::string& word) {
    return has_word({word}, {"which", "but", "that", "this", "it", "and", "however", "though", "although", "of", "course", "clearly"});
  };
  std::size_t verb = 0;
  std::size_t others = 0;
  while (verb < words.size() &&
         !has_word({words[verb]}, {"is", "was", "s", "isn", "wasn", "seems", "looks", "can", "cannot", "must", "would"})) {
    others += points_back(words[verb]) ? 0 : 1;
    ++verb;
  }
  if (others > 1 || verb >= words.size()) return false;
  bool denied = words[verb] == "cannot";
  std::size_t at = verb + 1;
  while (at < words.size() && has_word({words[at]}, {"be", "not", "t", "a", "an", "clearly", "obviously"})) {
    denied = denied || words[at] == "not" || words[at] == "t";
    ++at;
  }
  if (at >= words.size() || (at + 1 < words.size() && words[at + 1] == "to")) return false;  // it is wrong to steal
  if (!denied && words[at] == "the" && at + 1 < words.size()) ++at;
  if (!denied) return has_word({words[at]}, {"wrong", "incorrect", "false", "mistaken", "impossible"});
  if (has_word({words[at]}, {"it", "right", "correct", "true", "possible"})) return true;
  if (words[at] == "what") return !further && is_letter(text[first]);
  return words[at] == "the" && at + 1 < words.size() &&
         has_word({words[at + 1]}, {"answer", "right", "correct", "final", "solution", "result", "number", "total", "amount", "one"});
}

// Whether the number is an ordinal one that a small number makes a fraction of: one 42nd.
bool is_fraction_of_ordinal(const std::vector<std::string>& words, std::string_view behind) {
  if (words.empty() || std::find(kSmallNumbers.begin(), kSmallNumbers.end(), words.back()) == kSmallNumbers.end()) return false;
  const std::vector<std::string> next = lower_words_of(behind.substr(0, 4));
  return !next.empty() && is_letter(behind[0]) && has_word({next[0]}, {"st", "nd", "rd", "th", "sts", "nds", "rds", "ths"});
}

// Whether a number is the smaller or larger side of a comparison: 42 < x. Arrows, tags and the sign of a quotation are none.
bool begins_with_comparison(std::string_view behind) {
  std::string_view text = behind.substr(std::min(behind.find_first_not_of(" $*"), behind.size()));
  for (const std::string_view command : {"\\leq", "\\geq", "\\neq", "\\le", "\\ge", "\\ne", "\\lt", "\\gt", "\\leqslant", "\\geqslant"}) {
    if (text.starts_with(command) && letter_at(text, command.size()) == 0) return true;
  }
  if (text.starts_with("!=") || text.starts_with("<=") || text.starts_with(">=")) return true;
  if (!text.starts_with('<') && !text.starts_with('>')) return false;
  text.remove_prefix(1);
  if (text.empty() || text[0] == '-' || text[0] == '|' || text[0] == '/' || text[0] == '>') return false;
  return letter_at(text, 0) == 0 || letter_at(text, letter_at(text, 0)) == 0;
}

bool begins_with_change(std::string_view behind) {
  if (begins_with_rejection(behind) || begins_with_comparison(behind)) return true;
  const std::string_view text = trimmed(behind.substr(0, 24));
  const std::vector<std::string> words = lower_words_of(text);
  if (!text.empty() && is_letter(text[0]) && !words.empty()) {
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

}  // namespace paretofl
