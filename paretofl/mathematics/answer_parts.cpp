#include "paretofl/mathematics/answer_parts.h"

#include <algorithm>

namespace paretofl {

std::vector<MathSpan> parts(MathSpan tokens, std::initializer_list<std::string_view> separators) {
  std::vector<MathSpan> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    depth += bracket_step(tokens[i]);
    if (depth != 0 || std::find(separators.begin(), separators.end(), tokens[i]) == separators.end()) continue;
    parts.push_back(tokens.subspan(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(tokens.subspan(begin));
  return parts;
}

std::vector<MathSpan> list_parts(MathSpan tokens) { return parts(tokens, {",", ";", "\\and", "\\or"}); }

bool is_enclosed(MathSpan tokens, std::string_view open) {
  if (tokens.size() < 2 || tokens.front() != open) return false;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    depth += bracket_step(tokens[i]);
    if (depth == 0) return i + 1 == tokens.size();
  }
  return false;
}

MathSpan inside(MathSpan tokens) { return tokens.subspan(1, tokens.size() - 2); }

std::vector<MathSpan> tuple_parts(MathSpan tokens) { return parts(inside(tokens), {",", ";"}); }

bool is_set(MathSpan tokens) { return is_enclosed(tokens, "\\{"); }

bool is_tuple(MathSpan tokens) {
  const bool brackets = is_enclosed(tokens, "(") || is_enclosed(tokens, "[") || is_enclosed(tokens, "\\langle");
  return brackets && tuple_parts(tokens).size() > 1;
}

bool is_matrix(MathSpan tokens) { return is_enclosed(tokens, "\\begin{matrix}"); }

bool is_empty_set(MathSpan tokens) {
  return (tokens.size() == 1 && tokens[0] == "\\emptyset") || (tokens.size() == 2 && tokens[0] == "\\{" && tokens[1] == "\\}");
}

MathSpan unwrapped(MathSpan tokens) {
  while (!tokens.empty()) {
    if (tokens.front() == "+" || tokens.front() == "\\approx") {
      tokens = tokens.subspan(1);
    } else if (is_enclosed(tokens, "{") || (is_enclosed(tokens, "(") && !is_tuple(tokens)) ||
               (is_enclosed(tokens, "[") && is_matrix(inside(tokens)))) {
      tokens = inside(tokens);
    } else {
      break;
    }
  }
  return tokens;
}

std::vector<MathTokens> elements(MathSpan tokens) {
  std::vector<MathTokens> elements;
  for (const MathSpan part : list_parts(is_set(tokens) ? inside(tokens) : tokens)) {
    MathTokens element(part.begin(), part.end());
    const auto has_sign = [&element](std::string_view sign) { return std::find(element.begin(), element.end(), sign) != element.end(); };
    if (!has_sign("\\pm") && !has_sign("\\mp")) {
      elements.push_back(std::move(element));
      continue;
    }
    for (const bool plus : {true, false}) {
      MathTokens& signed_element = elements.emplace_back(element);
      std::replace(signed_element.begin(), signed_element.end(), std::string_view("\\pm"), std::string_view(plus ? "+" : "-"));
      std::replace(signed_element.begin(), signed_element.end(), std::string_view("\\mp"), std::string_view(plus ? "-" : "+"));
    }
  }
  return elements;
}

std::string spelling(MathSpan tokens) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_letter = [is_small](char c) { return is_small(c) || (c >= 'A' && c <= 'Z'); };
  const auto is_alphabetic = [is_letter](std::string_view token) { return std::all_of(token.begin(), token.end(), is_letter); };
  const bool words = std::all_of(tokens.begin(), tokens.end(), is_alphabetic);
  std::string spelling;
  for (const std::string_view token : tokens) {
    if (token == "#degree") continue;
    const bool word = token.size() > 2 && is_alphabetic(token) && (words || std::any_of(token.begin(), token.end(), is_small));
    for (const char c : token) spelling += word && !is_small(c) ? static_cast<char>(c + 32) : c;
    if (token[0] == '\\' || token[0] == '#') spelling += ' ';
  }
  return spelling;
}

}  // namespace paretofl
