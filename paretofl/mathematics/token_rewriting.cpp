#include "paretofl/mathematics/token_rewriting.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "paretofl/mathematics/answer_parts.h"
#include "paretofl/mathematics/math_words.h"

namespace paretofl {
namespace {

std::string_view token_at(const MathTokens& tokens, std::size_t i) { return i < tokens.size() ? tokens[i] : std::string_view(); }

bool is_digit_at(const MathTokens& tokens, std::size_t i) { return is_digit_token(token_at(tokens, i)); }

MathTokens::iterator place(MathTokens& tokens, std::size_t i) { return tokens.begin() + static_cast<std::ptrdiff_t>(i); }

void join_relations(MathTokens& tokens) {
  static constexpr std::array<std::string_view, 7> kRelations{"=", "<", ">", "\\leq", "\\geq", "\\neq", "\\in"};
  const auto relates = [](std::string_view token) { return std::find(kRelations.begin(), kRelations.end(), token) != kRelations.end(); };
  if (std::none_of(tokens.begin(), tokens.end(), relates)) return;
  std::replace(tokens.begin(), tokens.end(), std::string_view("\\land"), std::string_view("\\and"));
  std::replace(tokens.begin(), tokens.end(), std::string_view("\\lor"), std::string_view("\\or"));
}

void join_bases(MathTokens& tokens) {
  const auto is_figure = [&tokens](std::size_t i) {
    const std::string_view token = token_at(tokens, i);
    return is_digit_token(token) || (is_capital(token) && token[0] <= 'F');
  };
  if (token_at(tokens, 0) == "(") {
    std::size_t end = 1;
    while (is_figure(end)) ++end;
    if (end > 1 && token_at(tokens, end) == ")" && token_at(tokens, end + 1) == "_") {
      tokens.erase(place(tokens, end));
      tokens.erase(tokens.begin());
    }
  }
  const auto word = static_cast<std::size_t>(std::find(tokens.begin(), tokens.end(), std::string_view("base")) - tokens.begin());
  if (word == 0 || word + 1 >= tokens.size()) return;
  const bool bracket = tokens[word - 1] == "(";
  if (bracket && word == 1) return;
  std::size_t end = word + 1;
  while (is_digit_at(tokens, end)) ++end;
  if (end == word + 1 || !is_figure(word - (bracket ? 2 : 1)) || (bracket && token_at(tokens, end) != ")")) return;
  if (bracket) tokens.erase(place(tokens, end));
  if (end - word > 2) {
    tokens.insert(place(tokens, end), "}");
    tokens.insert(place(tokens, word + 1), "{");
  }
  tokens[word] = "_";
  if (bracket) tokens.erase(place(tokens, word - 1));
}

// The place behind the bracket that closes the one at a place; that of the end where none does.
std::size_t behind_bracket(const MathTokens& tokens, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    depth += bracket_step(tokens[i]);
    if (depth == 0) return i + 1;
  }
  return tokens.size();
}

// A letter U is the sign of unions behind a bracket and before an interval; before another bracket it may be a factor.
void join_unions(MathTokens& tokens) {
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i] != "U" || (tokens[i - 1] != ")" && tokens[i - 1] != "]")) continue;
    if (is_tuple(MathSpan(tokens).subspan(i + 1, behind_bracket(tokens, i + 1) - i - 1))) tokens[i] = "\\cup";
  }
}

void join_ratios(MathTokens& tokens) {
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i] == "to" && is_digit_at(tokens, i - 1) && is_digit_at(tokens, i + 1)) tokens[i] = ":";
  }
}

void join_moduli(MathTokens& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i] != "(" || tokens[i + 1] != "\\pmod") continue;
    const std::size_t end = behind_bracket(tokens, i);
    if (tokens[end - 1] != ")") continue;
    tokens.erase(place(tokens, end - 1));
    tokens.erase(place(tokens, i));
  }
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {  // \pmod{11} as \pmod 11
    if (tokens[i] != "\\pmod" || tokens[i + 1] != "{") continue;
    const std::size_t end = behind_bracket(tokens, i + 1);
    if (tokens[end - 1] != "}") continue;
    tokens.erase(place(tokens, end - 1));
    tokens.erase(place(tokens, i + 1));
  }
}

}  // namespace

void rewrite_tokens(MathTokens& tokens) {
  join_relations(tokens);
  join_bases(tokens);
  join_unions(tokens);
  join_ratios(tokens);
  join_moduli(tokens);
}

}  // namespace paretofl
