#include "paretofl/mathematics/relation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "paretofl/mathematics/answer_parts.h"
#include "paretofl/mathematics/math_words.h"

namespace paretofl {
namespace {

bool is_less(std::string_view sign) { return sign == "<" || sign == "\\leq"; }

bool is_open(std::string_view sign) { return sign == "<"; }

MathTokens span_of(std::string_view open, MathSpan low, MathSpan high, std::string_view close) {
  MathTokens tokens{open};
  tokens.insert(tokens.end(), low.begin(), low.end());
  tokens.emplace_back(",");
  tokens.insert(tokens.end(), high.begin(), high.end());
  tokens.push_back(close);
  return tokens;
}

const MathTokens& minus_infinity() {
  static const MathTokens kTokens{"-", "\\infty"};
  return kTokens;
}

const MathTokens& infinity() {
  static const MathTokens kTokens{"\\infty"};
  return kTokens;
}

// x < b, x <= b, b < x, b <= x
MathTokens half_line(const Relation& relation) {
  const bool name_first = is_name(relation.sides[0]);
  const bool open = is_open(relation.signs[0]);
  const MathSpan bound = relation.sides[name_first ? 1 : 0];
  return name_first ? span_of("(", minus_infinity(), bound, open ? ")" : "]") : span_of(open ? "(" : "[", bound, infinity(), ")");
}

bool holds_name(MathSpan tokens, MathSpan name) {
  return std::search(tokens.begin(), tokens.end(), name.begin(), name.end()) != tokens.end();
}

}  // namespace

Relation Relation::of(MathSpan tokens) {
  Relation relation{parts(tokens, {"=", "\\in", "<", ">", "\\leq", "\\geq", "\\neq", "\\approx"}), {}};
  for (const MathSpan side : std::span(relation.sides).first(relation.sides.size() - 1))
    relation.signs.push_back(*(side.data() + side.size()) == "\\approx" ? "=" : *(side.data() + side.size()));
  return relation;
}

Relation Relation::mirrored() const {
  Relation relation = *this;
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

bool is_name(MathSpan tokens) {
  if (is_tuple(tokens)) {
    const std::vector<MathSpan> names = tuple_parts(tokens);
    return std::all_of(names.begin(), names.end(), is_name);
  }
  if (tokens.size() > 1 && tokens[0] == "m" && tokens[1] == "\\angle") tokens = tokens.subspan(1);
  if (!tokens.empty() && (tokens[0] == "\\angle" || tokens[0] == "\\measuredangle")) tokens = tokens.subspan(1);
  if (tokens.empty()) return false;
  if (tokens.size() == 1 && tokens[0].size() > 1 && is_variable(tokens[0].substr(0, 1))) return true;  // a word
  const auto is_capital = [](std::string_view token) { return token.size() == 1 && token[0] >= 'A' && token[0] <= 'Z'; };
  if (tokens.size() <= 4 && std::all_of(tokens.begin(), tokens.end(), is_capital)) return true;  // a line, such as AB
  if (!is_variable(tokens.front())) return false;
  if (tokens.size() == 1) return true;
  if (tokens[1] == "_") return tokens.size() == 3 || is_enclosed(tokens.subspan(2), "{");
  const MathSpan inverse = tokens.subspan(1);
  const bool function = tokens[0] == "f" || tokens[0] == "g" || tokens[0] == "h" || tokens[0] == "F" || tokens[0] == "G";
  static constexpr std::array<std::string_view, 5> kInverted{"^", "{", "-", "1", "}"};
  if (function && inverse.size() == 8 && std::ranges::equal(inverse.first(5), kInverted)) return is_enclosed(inverse.subspan(5), "(");
  return tokens.size() == 4 && is_enclosed(tokens.subspan(1), "(");
}

std::optional<MathTokens> interval(const Relation& relation) {
  if (relation.signs.empty() || relation.signs.size() > 2) return std::nullopt;
  const bool differs = relation.signs.size() == 1 && relation.signs[0] == "\\neq";
  const Relation ordered = differs || is_less(relation.signs[0]) ? relation : relation.mirrored();
  if (!differs && !std::all_of(ordered.signs.begin(), ordered.signs.end(), is_less)) return std::nullopt;
  const std::size_t place = relation.signs.size() == 2 ? 1 : is_name(ordered.sides[0]) ? 0 : 1;
  const MathSpan name = ordered.sides[place];
  if (!is_name(name) || is_tuple(name)) return std::nullopt;
  for (std::size_t i = 0; i < ordered.sides.size(); ++i) {
    if (i != place && (ordered.sides[i].empty() || holds_name(ordered.sides[i], name))) return std::nullopt;
  }
  if (differs) {
    const MathSpan point = ordered.sides[1 - place];
    MathTokens tokens = span_of("(", minus_infinity(), point, ")");
    tokens.emplace_back("\\cup");
    const MathTokens above = span_of("(", point, infinity(), ")");
    tokens.insert(tokens.end(), above.begin(), above.end());
    return tokens;
  }
  if (ordered.signs.size() == 1) return half_line(ordered);
  return span_of(is_open(ordered.signs[0]) ? "(" : "[", ordered.sides[0], ordered.sides[2], is_open(ordered.signs[1]) ? ")" : "]");
}

std::optional<MathTokens> common_interval(MathSpan tokens) {
  const std::vector<MathSpan> both = parts(tokens, {"\\and"});
  if (both.size() != 2) return std::nullopt;
  const Relation relations[] = {Relation::of(both[0]), Relation::of(both[1])};
  const auto name_of = [](const Relation& relation) { return spelling(relation.sides[is_name(relation.sides[0]) ? 0 : 1]); };
  for (const Relation& relation : relations) {
    if (relation.signs.size() != 1 || relation.signs[0] == "\\neq" || !interval(relation)) return std::nullopt;
  }
  if (name_of(relations[0]) != name_of(relations[1])) return std::nullopt;
  MathTokens low = *interval(relations[0]);
  MathTokens high = *interval(relations[1]);
  const auto ends_at_infinity = [](const MathTokens& half) { return half[half.size() - 2] == "\\infty"; };
  if (ends_at_infinity(high)) std::swap(low, high);
  if (!ends_at_infinity(low) || ends_at_infinity(high)) return std::nullopt;
  const MathSpan above = MathSpan(low).subspan(1, low.size() - 4);    // without its , \infty and brackets
  const MathSpan below = MathSpan(high).subspan(4, high.size() - 5);  // without its - \infty , and brackets
  return span_of(low.front(), above, below, high.back());
}

}  // namespace paretofl
