#include "paretofl/mathematics/conjunction.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "paretofl/mathematics/answer_parts.h"
#include "paretofl/mathematics/counted_things.h"
#include "paretofl/mathematics/math_expression.h"
#include "paretofl/mathematics/math_words.h"
#include "paretofl/mathematics/relation.h"
#include "paretofl/mathematics/value_name.h"
#include "paretofl/mathematics/value_sign.h"

namespace paretofl {
namespace {

bool holds(MathSpan tokens, std::string_view token) { return std::find(tokens.begin(), tokens.end(), token) != tokens.end(); }

MathSpan list_of(MathSpan tokens) { return is_set(tokens) ? inside(tokens) : tokens; }

bool is_joined_by(MathSpan list, std::string_view word) { return parts(list, {word}).size() > 1; }

// Brackets that only an interval has: (1, 2] and (1, \infty), not (1, 2), which may be a point.
bool is_surely_interval(MathSpan tokens) {
  return is_tuple(tokens) && (holds(tokens, "\\infty") || tokens.front() == "[" || tokens.back() == "]");
}

bool is_value(MathSpan tokens) {
  static constexpr std::array<std::string_view, 9> kOthers{"\\pm", "\\mp", " ", "\\langle", "\\rangle", "\\\\", "&", ":", "\\infty"};
  const auto is_known = [](std::string_view token) {
    return is_expression_token(token) || bracket_step(token) != 0 || std::find(kOthers.begin(), kOthers.end(), token) != kOthers.end();
  };
  return std::all_of(tokens.begin(), tokens.end(), is_known) && !std::all_of(tokens.begin(), tokens.end(), is_capital) &&
         CountedThings(tokens).none() && !is_surely_interval(tokens);
}

// Whether all elements are values, of no name or of one: 2, 3 and x = 2, x = 3.
bool are_values(const std::vector<MathSpan>& elements) {
  std::optional<std::string> name;
  for (const MathSpan element : elements) {
    const Relation relation = Relation::of(element);
    if (!is_value(relation.sides.back())) return false;
    if (relation.signs.empty()) continue;
    if (relation.signs.size() > 1 || relation.signs[0] != "=" || !is_value_name(relation.sides[0])) return false;
    const std::string next = spelling(relation.sides[0]);
    if (name && *name != next) return false;
    name = next;
  }
  return true;
}

// The real numbers between two bounds, or up to one of them, that a statement says of a name; of none for an interval.
struct Range {
  std::string name;
  std::optional<MathValue> low;
  std::optional<MathValue> high;
  bool holds_low = false;
  bool holds_high = false;
};

std::optional<MathValue> bound(Algebra& algebra, MathSpan tokens) {
  if (tokens.back() == "\\infty") return std::nullopt;
  return math_expression(algebra, tokens).value;
}

std::optional<Range> range_of(Algebra& algebra, MathSpan element) {
  Range range;
  MathTokens points(element.begin(), element.end());
  const Relation relation = Relation::of(element);
  if (relation.signs.size() == 1 && (relation.signs[0] == "=" || relation.signs[0] == "\\in")) {
    if (!is_name(relation.sides[0]) || relation.sides[1].empty()) return std::nullopt;
    range.name = spelling(relation.sides[0]);
    points = MathTokens(relation.sides[1].begin(), relation.sides[1].end());
    if (relation.signs[0] == "=") {
      points.insert(points.begin(), "[");
      points.emplace_back(",");
      points.insert(points.end(), relation.sides[1].begin(), relation.sides[1].end());
      points.emplace_back("]");
    }
  } else if (!relation.signs.empty()) {
    const auto interval_of_name = interval(relation);
    if (!interval_of_name) return std::nullopt;
    points = *interval_of_name;
    range.name = spelling(relation.sides[relation.signs.size() == 2 || !is_name(relation.sides[0]) ? 1 : 0]);
  } else if (!is_surely_interval(points)) {
    return std::nullopt;
  }
  if (!is_tuple(points)) return std::nullopt;
  const std::vector<MathSpan> bounds = tuple_parts(points);
  if (bounds.size() != 2 || bounds[0].empty() || bounds[1].empty()) return std::nullopt;
  range.low = bound(algebra, bounds[0]);
  range.high = bound(algebra, bounds[1]);
  range.holds_low = points.front() == "[";
  range.holds_high = points.back() == "]";
  return range;
}

// Whether one range ends before the other begins.
bool is_before(Algebra& algebra, const Range& a, const Range& b) {
  if (!a.high || !b.low) return false;
  const int sign = sign_of(algebra, algebra.difference(*b.low, *a.high));
  return sign > 0 || (sign == 0 && !(a.holds_high && b.holds_low));
}

Conjunction of_commas(Algebra& algebra, const std::vector<MathSpan>& elements) {
  std::vector<Range> ranges;
  for (const MathSpan element : elements) {
    const std::optional<Range> range = range_of(algebra, element);
    if (!range || (!ranges.empty() && range->name != ranges.front().name)) return Conjunction::kAnd;
    ranges.push_back(*range);
  }
  bool apart = false;
  bool common = false;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool disjoint = is_before(algebra, ranges[i], ranges[j]) || is_before(algebra, ranges[j], ranges[i]);
      apart = apart || disjoint;
      common = common || !disjoint;
    }
  }
  return apart && common ? Conjunction::kUnclear : apart ? Conjunction::kOr : Conjunction::kAnd;
}

}  // namespace

Conjunction conjunction_of(Algebra& algebra, MathSpan list) {
  const MathSpan content = list_of(list);
  std::vector<MathSpan> elements = list_parts(content);
  if (elements.size() < 2) return Conjunction::kAny;
  std::transform(elements.begin(), elements.end(), elements.begin(), unwrapped);
  const bool all = is_joined_by(content, "\\and");
  const bool one = is_joined_by(content, "\\or");
  const bool names = std::all_of(elements.begin(), elements.end(), is_name);  // p and q may be statements
  if (are_values(elements) && (!names || (!all && !one))) return Conjunction::kAny;
  if (all && one) return Conjunction::kUnclear;
  if (all || one) return all ? Conjunction::kAnd : Conjunction::kOr;
  try {
    return of_commas(algebra, elements);
  } catch (const Undecided&) {
    return Conjunction::kUnclear;
  }
}

bool may_join_alike(Algebra& algebra, MathSpan a, MathSpan b) {
  if (!holds(a, "\\and") && !holds(a, "\\or") && !holds(b, "\\and") && !holds(b, "\\or")) return true;
  const MathSpan first = list_of(a);
  const MathSpan second = list_of(b);
  const auto words = [](MathSpan list) { return std::pair(is_joined_by(list, "\\and"), is_joined_by(list, "\\or")); };
  if (words(first) == words(second) && words(first) != std::pair(true, true)) return true;
  const Conjunction left = conjunction_of(algebra, a);
  const Conjunction right = conjunction_of(algebra, b);
  if (left == Conjunction::kUnclear || right == Conjunction::kUnclear) return false;
  return left == right || left == Conjunction::kAny || right == Conjunction::kAny;
}

}  // namespace paretofl
