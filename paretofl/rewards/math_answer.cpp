#include "paretofl/rewards/math_answer.h"

#include <algorithm>
#include <utility>

#include "paretofl/rewards/math_tokens.h"
#include "paretofl/rewards/math_value.h"
#include "paretofl/rewards/math_words.h"

namespace paretofl {
namespace {

constexpr unsigned kPoints = 3;

bool same(MathSpan a, MathSpan b);

// The parts between separators outside of brackets.
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

// Whether one pair of brackets, opened by `open`, encloses everything.
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

bool is_set(MathSpan tokens) { return is_enclosed(tokens, "\\{"); }
bool is_tuple(MathSpan tokens) { return (is_enclosed(tokens, "(") || is_enclosed(tokens, "[")) && parts(inside(tokens), {","}).size() > 1; }

bool is_matrix(MathSpan tokens) { return is_enclosed(tokens, "\\begin{matrix}"); }

// Without what encloses all of it and says nothing.
MathSpan unwrapped(MathSpan tokens) {
  while (!tokens.empty()) {
    if (tokens.front() == "+") {
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

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() < 3 || a.size() != b.size() || a.starts_with('\\')) return a == b;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), [lower](char c, char d) { return lower(c) == lower(d); });
}

// The elements of a list or set; of one with +- the one with + and the one with -.
std::vector<MathTokens> elements(MathSpan tokens) {
  std::vector<MathTokens> elements;
  for (const MathSpan part : parts(is_set(tokens) ? inside(tokens) : tokens, {",", ";"})) {
    MathTokens element(part.begin(), part.end());
    if (std::find(element.begin(), element.end(), "\\pm") == element.end()) {
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

template <class Part>
bool same_in_order(const std::vector<Part>& a, const std::vector<Part>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](MathSpan x, MathSpan y) { return same(x, y); });
}

template <class Part>
bool same_in_any_order(const std::vector<Part>& a, std::vector<Part> b) {
  if (a.size() != b.size()) return false;
  for (const Part& part : a) {
    const auto found = std::find_if(b.begin(), b.end(), [&part](MathSpan other) { return same(part, other); });
    if (found == b.end()) return false;
    b.erase(found);
  }
  return true;
}

// Whether a left side only names the right one: x, x_1, f(x), (x, y).
bool is_name(MathSpan tokens) {
  if (is_tuple(tokens)) {
    const std::vector<MathSpan> names = parts(inside(tokens), {","});
    return std::all_of(names.begin(), names.end(), is_name);
  }
  if (tokens.empty() || !is_variable(tokens.front())) return false;
  if (tokens.size() == 1) return true;
  if (tokens[1] == "_") return tokens.size() == 3 || is_enclosed(tokens.subspan(2), "{");
  return tokens.size() == 4 && is_enclosed(tokens.subspan(1), "(");
}

// Sides and the signs between them, such as x, <, 5.
struct Relation {
  std::vector<MathSpan> sides;
  std::vector<std::string_view> signs;
};

Relation relation(MathSpan tokens) {
  Relation relation{parts(tokens, {"=", "\\in", "<", ">", "\\leq", "\\geq", "\\neq"}), {}};
  for (const MathSpan side : std::span(relation.sides).first(relation.sides.size() - 1))
    relation.signs.push_back(*(side.data() + side.size()));
  return relation;
}

Relation mirrored(Relation relation) {
  std::reverse(relation.sides.begin(), relation.sides.end());
  std::reverse(relation.signs.begin(), relation.signs.end());
  for (std::string_view& sign : relation.signs) {
    for (const auto& [less, more] : {std::pair("<", ">"), std::pair("\\leq", "\\geq")}) {
      if (sign == less || sign == more) {
        sign = sign == less ? more : less;
        break;
      }
    }
  }
  return relation;
}

bool same_relation(const Relation& a, const Relation& b) { return a.signs == b.signs && same_in_order(a.sides, b.sides); }

// Whether a relation only names its right side: x = 5, x \in [0, 1].
bool names(const Relation& relation) {
  return relation.signs.size() == 1 && (relation.signs[0] == "=" || relation.signs[0] == "\\in") && is_name(relation.sides[0]);
}

bool same_matrix(MathSpan a, MathSpan b) {
  const auto rows = [](MathSpan matrix) {
    std::vector<MathSpan> rows = parts(inside(matrix), {"\\\\"});
    if (rows.size() > 1 && rows.back().empty()) rows.pop_back();
    return rows;
  };
  const std::vector<MathSpan> left = rows(a);
  const std::vector<MathSpan> right = rows(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](MathSpan x, MathSpan y) { return same_in_order(parts(x, {"&"}), parts(y, {"&"})); });
}

bool same_expression(MathSpan a, MathSpan b) {
  const auto left = math_value(a);
  const auto right = math_value(b);
  if (left || right) return left && right && same_value(*left, *right);
  for (unsigned point = 0; point < kPoints; ++point) {
    const auto x = math_value_at(a, point);
    const auto y = math_value_at(b, point);
    if (!x || !y || !same_value(*x, *y) || x->terms != y->terms || x->factors != y->factors) return false;
  }
  return true;
}

// Every step compares shorter parts, or ones without +-, so brackets bound the depth.
bool same(MathSpan a, MathSpan b) {
  a = unwrapped(a);
  b = unwrapped(b);
  if (std::equal(a.begin(), a.end(), b.begin(), b.end(), same_token)) return true;
  if (a.empty() || b.empty()) return false;

  const std::vector<MathTokens> left = elements(a);
  const std::vector<MathTokens> right = elements(b);
  if (is_set(a) || is_set(b) || left.size() > 1 || right.size() > 1) return same_in_any_order(left, right);

  const std::vector<MathSpan> left_parts = parts(a, {"\\cup"});
  const std::vector<MathSpan> right_parts = parts(b, {"\\cup"});
  if (left_parts.size() > 1 || right_parts.size() > 1) return same_in_any_order(left_parts, right_parts);

  const Relation first = relation(a);
  const Relation second = relation(b);
  if (!first.signs.empty() && !second.signs.empty()) return same_relation(first, second) || same_relation(mirrored(first), second);
  if (!first.signs.empty()) return names(first) && same(first.sides[1], b);
  if (!second.signs.empty()) return names(second) && same(a, second.sides[1]);

  if (is_tuple(a) && is_tuple(b)) {
    return a.front() == b.front() && a.back() == b.back() && same_in_order(parts(inside(a), {","}), parts(inside(b), {","}));
  }
  if (is_matrix(a) && is_matrix(b)) return same_matrix(a, b);
  return same_expression(a, b);
}

}  // namespace

bool same_math_answer(std::string_view a, std::string_view b) {
  for (const CommaReading commas : {CommaReading::kThousands, CommaReading::kList}) {
    const auto left = math_tokens(a, commas);
    const auto right = math_tokens(b, commas);
    if (left && right && !left->empty() && same(*left, *right)) return true;
  }
  return false;
}

bool is_math_answer(std::string_view text) {
  const auto tokens = math_tokens(text, CommaReading::kList);
  return tokens && !tokens->empty();
}

}  // namespace paretofl
