#include "paretofl/mathematics/value_name.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "paretofl/mathematics/answer_parts.h"
#include "paretofl/mathematics/math_words.h"
#include "paretofl/mathematics/relation.h"

namespace paretofl {
namespace {

template <std::size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& tokens, std::string_view token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// Letters in capitals; three and more are one token.
bool are_capitals(MathSpan tokens) {
  return !tokens.empty() && std::all_of(tokens.begin(), tokens.end(), [](std::string_view token) {
    return std::all_of(token.begin(), token.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  });
}

bool is_naming_word(std::string_view token) {
  static constexpr std::array<std::string_view, 10> kOthers{"no", "not", "never", "if", "least", "most", "than", "base", "am", "pm"};
  return token.size() > 1 && is_variable(token.substr(0, 1)) && !number_word(token) && !is_one_of(kOthers, token);
}

// Letters that mostly stand for functions, so that brackets behind them hold arguments and no factor.
bool may_be_function(std::string_view token) {
  static constexpr std::array<std::string_view, 12> kLetters{"f",        "g",       "h",     "p",    "q",       "\\phi",
                                                             "\\varphi", "\\sigma", "\\tau", "\\mu", "\\Gamma", "\\zeta"};
  return is_capital(token) || is_one_of(kLetters, token);
}

bool is_closed(MathSpan tokens) {
  static constexpr std::array<std::string_view, 14> kParts{"+", "-", "*", "/",      "^",      ".",    "{",
                                                           "}", "(", ")", "\\frac", "\\sqrt", "\\pi", "!"};
  return !tokens.empty() && std::all_of(tokens.begin(), tokens.end(),
                                        [](std::string_view token) { return is_digit_token(token) || is_one_of(kParts, token); });
}

bool is_application(MathSpan tokens);

bool is_argument(MathSpan tokens) { return is_closed(tokens) || (is_name(tokens) && !is_tuple(tokens)) || is_application(tokens); }

// A name without what stands behind its letter: a subscript, primes or ^{-1}.
MathSpan behind_letter(MathSpan tokens) {
  static constexpr std::array<std::string_view, 5> kInverse{"^", "{", "-", "1", "}"};
  tokens = tokens.subspan(1);
  if (tokens.size() > 1 && tokens[0] == "_") {
    std::size_t end = 1;
    int depth = 0;
    do {
      depth += bracket_step(tokens[end++]);
    } while (depth > 0 && end < tokens.size());
    tokens = tokens.subspan(end);
  }
  while (!tokens.empty() && tokens[0] == "'") tokens = tokens.subspan(1);
  return tokens.size() > kInverse.size() && std::ranges::equal(tokens.first(kInverse.size()), kInverse) ? tokens.subspan(kInverse.size())
                                                                                                        : tokens;
}

// f(10), f'(2), f^{-1}(10), a function of a function, f(x, y), (f \circ g)(2).
bool is_application(MathSpan tokens) {
  if (tokens.empty()) return false;
  const bool composed = tokens.size() > 5 && tokens[0] == "(" && tokens[2] == "\\circ" && tokens[4] == ")" && may_be_function(tokens[3]);
  if (!may_be_function(tokens[composed ? 1 : 0])) return false;
  const MathSpan brackets = composed ? tokens.subspan(5) : behind_letter(tokens);
  if (!is_enclosed(brackets, "(")) return false;
  const std::vector<MathSpan> arguments = parts(inside(brackets), {","});
  return std::all_of(arguments.begin(), arguments.end(), is_argument);
}

// y' and \frac{dy}{dx}
bool is_derivative(MathSpan tokens) {
  if (tokens.size() > 1 && is_variable(tokens[0]))
    return std::all_of(tokens.begin() + 1, tokens.end(), [](auto token) { return token == "'"; });
  return tokens.size() == 9 && tokens[0] == "\\frac" && tokens[1] == "{" && tokens[2] == "d" && is_variable(tokens[3]) &&
         tokens[4] == "}" && tokens[5] == "{" && tokens[6] == "d" && is_variable(tokens[7]) && tokens[8] == "}";
}

// P(X = 2), P(A \mid B), \Pr[A], E[X]: brackets behind P hold a condition or an event, others could hold a factor.
bool is_probability(MathSpan tokens) {
  static constexpr std::array<std::string_view, 14> kConditions{"=",     "<", ">",     "\\leq", "\\geq",  "\\neq", "\\in",
                                                                "\\mid", "|", "\\cap", "\\cup", "\\land", "\\lor", "\\neg"};
  if (tokens.size() > 2 && tokens[0] == "\\mathbb") tokens = tokens.subspan(1);
  if (tokens.size() < 4) return false;
  const MathSpan brackets = tokens.subspan(1);
  const bool square = is_enclosed(brackets, "[");
  if (!square && !is_enclosed(brackets, "(")) return false;
  if (tokens[0] == "\\Pr" || tokens[0] == "Pr" || tokens[0] == "Var" || tokens[0] == "Cov" || (square && tokens[0] == "E")) return true;
  if (tokens[0] == "E") return are_capitals(inside(brackets));
  if (tokens[0] != "P") return false;
  const MathSpan event = inside(brackets);
  return are_capitals(event) || std::any_of(event.begin(), event.end(), [](std::string_view token) {
           return is_one_of(kConditions, token) || is_naming_word(token) || token == "\\and" || token == "\\or";
         });
}

// \sin\theta, \cos 2x, \tan(A), \sin\angle ABC, \cos\frac{x}{2}
bool is_of_angle(MathSpan tokens) {
  static constexpr std::array<std::string_view, 6> kFunctions{"\\sin", "\\cos", "\\tan", "\\cot", "\\sec", "\\csc"};
  if (tokens.size() < 2 || !is_one_of(kFunctions, tokens[0])) return false;
  MathSpan angle = tokens.subspan(1);
  if (angle.size() > 2 && angle[0] == "^" && is_digit_token(angle[1])) angle = angle.subspan(2);
  if (is_enclosed(angle, "(") || is_enclosed(angle, "{")) angle = inside(angle);
  while (angle.size() > 1 && is_digit_token(angle[0])) angle = angle.subspan(1);
  if (angle.size() == 3 && angle[0] == "\\frac" && is_digit_token(angle[2])) angle = angle.subspan(1, 1);
  return is_name(angle) && !is_tuple(angle);
}

// \vec{v}, \overline{AB}; the accent's argument is one letter, or letters.
bool is_accented(MathSpan tokens) {
  if (tokens.size() < 2 || !is_accent_command(tokens[0])) return false;
  const MathSpan name = is_enclosed(tokens.subspan(1), "{") ? inside(tokens.subspan(1)) : tokens.subspan(1);
  return is_name(name) || (tokens[1] == "{" && !name.empty() && std::all_of(name.begin(), name.end(), is_variable));
}

// |AB|, |z_1|, |\vec{v}|. Of a real number a size tells less than its value: |x| = 5 is an equation.
bool is_size(MathSpan tokens) {
  if (tokens.size() < 3) return false;
  const bool bars = (tokens.front() == "|" && tokens.back() == "|") || (tokens.front() == "\\lvert" && tokens.back() == "\\rvert") ||
                    (tokens.front() == "\\|" && tokens.back() == "\\|") || (tokens.front() == "\\lVert" && tokens.back() == "\\rVert");
  const MathSpan name = inside(tokens);
  if (!bars) return false;
  if (is_accented(name) || are_capitals(name) || (tokens.front() == "\\|" && is_name(name))) return true;
  return is_name(name) && (name[0] == "z" || name[0] == "w") && behind_letter(name).empty();
}

bool is_area(MathSpan tokens) {
  if (!is_enclosed(tokens, "[")) return false;
  MathSpan corners = inside(tokens);
  if (!corners.empty() && corners[0] == "\\triangle") corners = corners.subspan(1);
  return are_capitals(corners) && spelling(corners).size() >= 3;
}

// Total cost, Area of \triangle ABC, Area(ABC), \det A
bool are_words(MathSpan tokens) {
  static constexpr std::array<std::string_view, 4> kFigures{"\\triangle", "\\angle", "\\square", "\\odot"};
  const auto is_known = [](std::string_view token) {
    return is_naming_word(token) || are_capitals(MathSpan(&token, 1)) || is_one_of(kFigures, token);
  };
  if (tokens.size() < 2 || (!is_naming_word(tokens[0]) && tokens[0] != "\\det")) return false;
  MathSpan others = tokens.subspan(1);
  if (is_enclosed(others, "(")) others = inside(others);
  return std::all_of(others.begin(), others.end(), is_known);
}

}  // namespace

bool is_value_name(MathSpan tokens) {
  return is_name(tokens) || is_application(tokens) || is_derivative(tokens) || is_probability(tokens) || is_of_angle(tokens) ||
         is_accented(tokens) || is_size(tokens) || is_area(tokens) || are_words(tokens);
}

}  // namespace paretofl
