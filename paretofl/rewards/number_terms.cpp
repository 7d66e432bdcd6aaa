#include "paretofl/rewards/number_terms.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "paretofl/core/ascii.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/answer_words.h"

namespace paretofl {
namespace {

using Words = std::vector<std::string>;

struct Unit {
  std::string_view name;
  int kind;  // what it measures
  int size;  // larger units have larger ones
};

constexpr auto kUnits = std::to_array<Unit>({
    {"century", 0, 9},    {"decade", 0, 8},     {"year", 0, 7},       {"yr", 0, 7},        {"month", 0, 6},      {"mo", 0, 6},
    {"week", 0, 5},       {"wk", 0, 5},         {"day", 0, 4},        {"d", 0, 4},         {"hour", 0, 3},       {"hr", 0, 3},
    {"h", 0, 3},          {"minute", 0, 2},     {"min", 0, 2},        {"m", 0, 2},         {"second", 0, 1},     {"sec", 0, 1},
    {"s", 0, 1},          {"kilometer", 1, 5},  {"kilometre", 1, 5},  {"km", 1, 5},        {"meter", 1, 4},      {"metre", 1, 4},
    {"m", 1, 4},          {"decimeter", 1, 3},  {"decimetre", 1, 3},  {"dm", 1, 3},        {"centimeter", 1, 2}, {"centimetre", 1, 2},
    {"cm", 1, 2},         {"millimeter", 1, 1}, {"millimetre", 1, 1}, {"mm", 1, 1},        {"mile", 2, 4},       {"mi", 2, 4},
    {"yard", 2, 3},       {"yd", 2, 3},         {"foot", 2, 2},       {"feet", 2, 2},      {"ft", 2, 2},         {"inch", 2, 1},
    {"in", 2, 1},         {"ton", 3, 4},        {"tonne", 3, 4},      {"t", 3, 4},         {"kilogram", 3, 3},   {"kilo", 3, 3},
    {"kg", 3, 3},         {"gram", 3, 2},       {"g", 3, 2},          {"milligram", 3, 1}, {"mg", 3, 1},         {"stone", 4, 3},
    {"pound", 4, 2},      {"lb", 4, 2},         {"ounce", 4, 1},      {"oz", 4, 1},        {"liter", 5, 4},      {"litre", 5, 4},
    {"l", 5, 4},          {"deciliter", 5, 3},  {"decilitre", 5, 3},  {"dl", 5, 3},        {"centiliter", 5, 2}, {"cl", 5, 2},
    {"milliliter", 5, 1}, {"millilitre", 5, 1}, {"ml", 5, 1},         {"gallon", 6, 5},    {"gal", 6, 5},        {"quart", 6, 4},
    {"qt", 6, 4},         {"pint", 6, 3},       {"pt", 6, 3},         {"cup", 6, 2},       {"ounce", 6, 1},      {"oz", 6, 1},
    {"dollar", 7, 2},     {"euro", 7, 2},       {"peso", 7, 2},       {"pound", 7, 2},     {"rupee", 7, 2},      {"cent", 7, 1},
    {"centavo", 7, 1},    {"penny", 7, 1},      {"pence", 7, 1},      {"p", 7, 1},         {"paise", 7, 1},      {"degree", 8, 3},
    {"deg", 8, 3},        {"minute", 8, 2},     {"min", 8, 2},        {"second", 8, 1},    {"sec", 8, 1},
});

constexpr auto kOnes =
    std::to_array<std::string_view>({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
                                     "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"});
constexpr auto kTens =
    std::to_array<std::string_view>({"twenty", "thirty", "forty", "fourty", "fifty", "sixty", "seventy", "eighty", "ninety"});
constexpr auto kPowers = std::to_array<std::string_view>({"hundred", "thousand", "million", "billion"});

constexpr auto kParts = std::to_array<std::string_view>({"half",    "halves", "third",  "thirds", "quarter", "quarters",  "fourth",
                                                         "fourths", "fifth",  "fifths", "sixth",  "sixths",  "eighth",    "eighths",
                                                         "seventh", "ninth",  "ninths", "tenth",  "tenths",  "hundredth", "hundredths"});

// What these words follow is no part of the number before it: 42 and half of the eggs.
constexpr auto kBehindOther =
    std::to_array<std::string_view>({"of",    "as",   "the", "is",  "was", "are",  "were", "that", "his",  "her",    "their", "those",
                                     "these", "have", "has", "had", "my",  "your", "our",  "its",  "went", "person", "one"});

// Words behind which a number and a colon name what follows.
constexpr auto kLabels = std::to_array<std::string_view>(
    {"day",  "step",    "part",     "week",  "month", "year",   "question", "problem", "case",  "option",  "round", "answer", "method",
     "way",  "example", "equation", "line",  "no",    "number", "scenario", "person",  "trip",  "stage",   "phase", "item",   "group",
     "team", "section", "chapter",  "table", "row",   "column", "solution", "task",    "hour",  "minute",  "box",   "bag",    "game",
     "test", "quarter", "level",    "page",  "verse", "figure", "store",    "room",    "class", "customer"});

bool is_number_word(std::string_view word) { return is_among(kOnes, word) || is_among(kTens, word) || is_among(kPowers, word); }

bool is_unit(std::string_view word, std::string_view unit) {
  if (!word.starts_with(unit)) return false;
  const std::string_view ending = word.substr(unit.size());
  return ending.empty() || ending == "s" || ending == "es";
}

// Whether a word is a unit that has smaller ones, `smaller` among them if that is given.
bool has_smaller(std::string_view word, std::string_view smaller = {}) {
  return std::any_of(kUnits.begin(), kUnits.end(), [&](const Unit& unit) {
    if (!is_unit(word, unit.name)) return false;
    return std::any_of(kUnits.begin(), kUnits.end(), [&](const Unit& other) {
      return other.kind == unit.kind && other.size < unit.size && (smaller.empty() || is_unit(smaller, other.name));
    });
  });
}

std::string_view without(std::string_view text, std::string_view begin, std::string_view end) {
  text = text.substr(std::min(text.find_first_not_of(begin), text.size()));
  return text.substr(0, text.find_last_not_of(end) + 1);
}

// The beginning of a text up to one of the characters, no longer than a few words.
std::string_view up_to(std::string_view text, std::string_view characters) {
  constexpr std::size_t kReach = 80;
  return text.substr(0, std::min(text.find_first_of(characters), kReach));
}

std::string word_at(const Words& words, std::size_t at) { return at < words.size() ? words[at] : std::string(); }

// How many words at `at` are a number: twenty five, a hundred.
std::size_t number_words_at(const Words& words, std::size_t at) {
  std::size_t end = at;
  while (is_number_word(word_at(words, end))) ++end;
  return end - at;
}

// 42 and a half, 5 hours and a half, 42 and two thirds.
bool goes_on_with_part(const Words& words) {
  const std::size_t join = word_at(words, 0) == "and" ? 0 : word_at(words, 1) == "and" ? 1 : words.size();
  std::size_t at = join + 1;
  if (word_at(words, at) == "a" || word_at(words, at) == "an" || is_among(kOnes, word_at(words, at))) ++at;
  if (!is_among(kParts, word_at(words, at))) return false;
  const std::string next = word_at(words, at + 1);
  return join == 0 ? !is_among(kBehindOther, next) : next.empty();
}

// 42 plus one, 42 apples times three, 42 divided by two, 42 more than ten.
bool goes_on_with_term(const Words& words) {
  for (std::size_t at = 0; at < 2; ++at) {
    const std::string word = word_at(words, at);
    const std::string next = word_at(words, at + 1);
    std::size_t operand = words.size();
    if (word == "plus" || word == "minus" || word == "times" || word == "point" || word == "x" || (word == "less" && next != "than")) {
      operand = at + 1;
    } else if (((word == "divided" || word == "multiplied") && next == "by") || (word == "added" && next == "to") ||
               ((word == "subtracted" || word == "taken") && next == "from") ||
               (next == "than" && (word == "more" || word == "less" || word == "fewer" || word == "greater"))) {
      operand = at + 2;
    }
    const bool article = word_at(words, operand) == "a" || word_at(words, operand) == "another" || word_at(words, operand) == "the";
    const std::string first = word_at(words, operand + (article ? 1 : 0));
    if ((is_number_word(first) || first == "half" || first == "zero") && word_at(words, operand + (article ? 2 : 1)) != "of") return true;
  }
  return false;
}

// 3 hours and twenty minutes.
bool goes_on_with_unit(const Words& words) {
  const std::size_t at = word_at(words, 1) == "and" ? 2 : 1;
  const std::size_t count = number_words_at(words, at);
  const std::string smaller = word_at(words, at + count);
  return count > 0 && !smaller.empty() && has_smaller(word_at(words, 0), smaller);
}

// 42m30s, 3h45; but 42m2 is an area.
bool goes_on_in_letters(std::string_view behind) {
  std::size_t unit = 0;
  while (unit < behind.size() && is_letter(behind[unit])) ++unit;
  std::size_t end = unit;
  while (end < behind.size() && is_digit(behind[end])) ++end;
  if (end == unit || !has_smaller(lower_case(behind.substr(0, unit)))) return false;
  const std::string_view number = behind.substr(unit, end - unit);
  return letter_at(behind, end) > 0 || (number != "2" && number != "3");
}

// Whether a colon between two numbers is that of a time or a ratio, and not one behind a label: Day 2:18 pages.
bool is_ratio(std::string_view before, std::string_view between) {
  const std::string_view sign = without(between, "$", "$");
  if (sign != ":" && sign != " : ") return false;
  const std::string_view rest = without(before, "", " $*#");
  std::size_t begin = rest.size();
  while (begin > 0 && is_letter(rest[begin - 1])) --begin;
  return !is_among(kLabels, lower_case(rest.substr(begin)));
}

// Whether a text ends in a sign of arithmetic; stars are also marks of emphasis, and a percent sign right behind a number is none.
bool ends_in_operator(std::string_view between, bool has_words) {
  if (between == "**" || between == " ** ") return true;
  const std::string_view sign = without(between, has_words ? "" : " $)}", " $({");
  if (sign.empty()) return false;
  const std::string_view bare = without(between, "$)}", "$({");
  if (sign == "%") return bare == "%" || bare == " % ";
  if (sign.back() == '*') return has_words ? bare.ends_with(" * ") : sign.size() == 1;
  return sign.back() == '+' || sign.back() == '/' || sign.back() == '^';
}

}  // namespace

bool is_compound(std::string_view before, std::string_view between, std::string_view behind) {
  if (is_ratio(before, between)) return true;
  Words words = lower_words_of(between);
  if (words.empty()) return without(between, " ${}", " ${}") == "'" || without(between, " ${", " $}") == "^\\circ";
  const bool joined = words.size() == 2 && words.back() == "and";
  if (joined) words.pop_back();
  const Words next = lower_words_of(up_to(behind, "\n").substr(0, 24));
  const std::size_t apart = between.find_first_of(".;:?!\n=()");
  const bool short_unit = words.size() == 1 && words[0].size() <= 3 && apart != std::string_view::npos && between[apart] == '.' &&
                          between.find_first_of(".;:?!\n=()", apart + 1) == std::string_view::npos;  // 2 hr. 30 min.
  if ((apart != std::string_view::npos && !short_unit) || words.size() != 1) return false;
  if (!next.empty() && has_smaller(words[0], next[0])) return true;
  const std::string_view end = without(behind, " $*", "");
  return !joined && !short_unit && (end.empty() || end[0] == '.') && between.find(',') == std::string_view::npos &&
         has_smaller(words[0]);  // 2 hours 30.
}

bool is_operation(std::string_view between, std::string_view behind) {
  if (between.find_first_of(".,;:?!\n=") != std::string_view::npos) return false;
  constexpr std::size_t kFewWords = 4;
  Words words = lower_words_of(between);
  if (words.size() > kFewWords) return false;
  if (words.size() <= 2 && ends_in_operator(between, !words.empty())) return true;
  const bool difference = words.size() == 1 && without(between, "", " ${(").ends_with('-');  // 5 apples - 3 apples
  if (difference) return word_at(lower_words_of(up_to(behind, ".,;:?!\n=")), 0) == words[0];
  while (!words.empty() &&
         has_word({words.back()}, {"the", "a", "an", "another", "extra", "additional", "every", "all", "those", "his", "her"})) {
    words.pop_back();
  }
  const std::size_t n = words.size();
  const std::string last = word_at(words, n - 1);
  if (n > 0 && has_word({words[n - 1]}, {"plus", "minus", "times", "x", "choose"})) return true;
  if (n == 1) return has_word(words, {"by", "over", "less", "of", "per", "point", "dot"});
  if (n < 2) return false;
  const std::string other = word_at(words, n - 2);
  return (last == "by" && (other == "divided" || other == "multiplied")) || (last == "of" && other == "out") ||
         (last == "to" && other == "added") || (last == "from" && (other == "subtracted" || other == "taken"));
}

bool goes_on_in_words(std::string_view behind) {
  if (goes_on_in_letters(behind.substr(std::min<std::size_t>(behind.starts_with(' ') ? 1 : 0, behind.size())))) return true;
  constexpr std::string_view kEnds = ".;:?!\n=()<>+*/0123456789";
  const std::string_view clause = up_to(behind, kEnds);
  const Words words = lower_words_of(clause);
  if (goes_on_with_unit(words)) return true;
  const Words close = lower_words_of(clause.substr(0, clause.find(',')));
  constexpr auto kManyParts = std::to_array<std::string_view>(
      {"thirds", "fourths", "fifths", "sixths", "sevenths", "eighths", "ninths", "tenths", "hundredths", "thousandths"});
  return goes_on_with_part(close) || goes_on_with_term(close) || is_among(kManyParts, word_at(close, 0));
}

bool begins_in_words(std::string_view before, bool fraction) {
  const std::string_view text = without(before, "", " \t$*_-{}");
  if (text.empty() || !is_letter(text.back())) return false;
  Words words = lower_words_of(text.substr(text.size() - std::min<std::size_t>(text.size(), 40)));
  if (words.empty()) return false;
  const bool joined = words.back() == "and";
  if (joined) words.pop_back();
  if (words.empty()) return false;
  const std::string& word = words.back();
  if (is_among(kPowers, word)) return true;
  return fraction ? is_number_word(word) : is_among(kTens, word);
}

bool is_beside_number_word(std::string_view before, std::string_view behind) {
  constexpr std::string_view kEnds = ".:?!\n=()<>0123456789";
  Words words = lower_words_of(up_to(behind, kEnds));
  if (has_word({word_at(words, 0), word_at(words, 1)}, {"and", "to"})) {
    const std::size_t at = word_at(words, 0) == "and" || word_at(words, 0) == "to" ? 1 : 2;
    const std::size_t count = number_words_at(words, at);
    if (count > 0 && at + count + 1 >= words.size()) return true;
  }
  const std::size_t clause = before.find_last_of(kEnds);
  const std::string_view text = without(before.substr(clause == std::string_view::npos ? 0 : clause + 1), "", " \t$*_-{},&/;");
  if (text.empty() || !is_letter(text.back())) return false;
  words = lower_words_of(text);
  if (!words.empty() && has_word({words.back()}, {"and", "to"})) words.pop_back();
  return !words.empty() && is_number_word(words.back());
}

}  // namespace paretofl
