#include "paretofl/mathematics/sum_unit.h"

#include <algorithm>

#include "paretofl/mathematics/math_words.h"
#include "paretofl/mathematics/units.h"

namespace paretofl {
namespace {

bool is_sign(std::string_view token) { return token == "+" || token == "-"; }

// Whether a unit or number has a meaning that would be another one behind a whole sum.
bool belongs_to_summand(std::string_view token) {
  return token == "#percent" || token == "#degree" || token == "#celsius" || token == "#fahrenheit" || token == "#ordinal" ||
         is_counted(token) || number_word(token).has_value();
}

bool is_part_of_unit(std::string_view token) {
  static constexpr std::string_view kSigns = "*/^{}-0123456789";
  return is_unit_token(token) || token == "\\frac" || (token.size() == 1 && kSigns.find(token[0]) != std::string_view::npos);
}

// The place of the first token of the unit that a text ends with.
std::size_t unit_begin(MathSpan tokens) {
  auto begin = static_cast<std::size_t>(std::find_if(tokens.begin(), tokens.end(), is_unit_token) - tokens.begin());
  if (begin > 1 && tokens[begin - 1] == "{" && tokens[begin - 2] == "\\frac") begin -= 2;
  if (begin > 1 && tokens[begin - 1] == "\\frac") --begin;
  if (begin > 0 && (tokens[begin - 1] == "/" || tokens[begin - 1] == "*")) --begin;
  return begin;
}

// Whether signs outside of brackets stand between summands.
bool is_sum(MathSpan tokens) {
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    depth += bracket_step(tokens[i]);
    if (i > 0 && depth == 0 && is_sign(tokens[i]) && tokens[i - 1] != "^" && tokens[i - 1] != "*" && tokens[i - 1] != "/") return true;
  }
  return false;
}

}  // namespace

std::optional<SumUnit> sum_unit(MathSpan tokens) {
  if (std::any_of(tokens.begin(), tokens.end(), belongs_to_summand)) return std::nullopt;
  const std::size_t begin = unit_begin(tokens);
  if (begin == tokens.size()) return std::nullopt;
  if (begin == 0) {
    const MathSpan sum = tokens.subspan(1);
    if (!is_currency(tokens[0]) || std::any_of(sum.begin(), sum.end(), is_unit_token) || !is_sum(sum)) return std::nullopt;
    return SumUnit{sum, {"1", tokens[0]}};
  }
  const MathSpan unit = tokens.subspan(begin);
  if (!is_sum(tokens.first(begin)) || !std::all_of(unit.begin(), unit.end(), is_part_of_unit)) return std::nullopt;
  int depth = 0;
  for (const std::string_view token : unit) {
    depth += bracket_step(token);
    if (depth < 0) return std::nullopt;
  }
  for (std::size_t i = 1; i < unit.size(); ++i) {  // digits are exponents only
    if (is_digit_token(unit[i]) && unit[i - 1] != "^" && unit[i - 1] != "-" && unit[i - 1] != "{") return std::nullopt;
    if (unit[i] == "-" && unit[i - 1] != "^" && unit[i - 1] != "{") return std::nullopt;
  }
  SumUnit result{tokens.first(begin), {"1"}};
  result.unit.insert(result.unit.end(), unit.begin(), unit.end());
  return result;
}

}  // namespace paretofl
