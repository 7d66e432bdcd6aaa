#include "paretofl/mathematics/math_answer.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/mathematics/answer_parts.h"
#include "paretofl/mathematics/calendar_day.h"
#include "paretofl/mathematics/compound_amount.h"
#include "paretofl/mathematics/conjunction.h"
#include "paretofl/mathematics/counted_things.h"
#include "paretofl/mathematics/math_expression.h"
#include "paretofl/mathematics/relation.h"
#include "paretofl/mathematics/set_builder.h"
#include "paretofl/mathematics/sum_unit.h"
#include "paretofl/mathematics/value_name.h"

namespace paretofl {
namespace {

// Two answers beside each other. Every step compares shorter parts, or ones without +-, so brackets bound the depth; the
// algebra bounds the work of all steps together.
class Comparison {
 public:
  bool same(MathSpan a, MathSpan b) {
    a = unwrapped(a);
    b = unwrapped(b);
    if (a.empty() || b.empty()) return false;
    algebra_.spend(1 + (a.size() + b.size()) / 8);
    const std::string written[] = {spelling(a), spelling(b)};
    if (written[0] == written[1]) return true;
    const auto day = calendar_day(written[0]);
    const auto other_day = calendar_day(written[1]);
    if (day || other_day) return day == other_day;
    if (const auto condition = described_range(a)) {
      const auto points = described_range(b) ? interval(Relation::of(*condition)) : std::nullopt;
      return same(points.value_or(*condition), b);
    }
    if (const auto condition = described_range(b)) return same(a, *condition);
    if (!may_join_alike(algebra_, a, b)) return false;
    if (const auto amount = joined_amount(a); amount && same(*amount, b)) return true;
    if (const auto amount = joined_amount(b); amount && same(a, *amount)) return true;
    const std::vector<MathTokens> left = elements(a);
    const std::vector<MathTokens> right = elements(b);
    if (const auto values = named_values(a); values && has_several_names(right)) return same(*values, b);
    if (const auto values = named_values(b); values && has_several_names(left)) return same(a, *values);
    if (same_common(a, b) || same_common(b, a)) return true;
    const Relation first = Relation::of(a);
    const Relation second = Relation::of(b);
    if ((left.size() == 1 && !first.signs.empty()) || (right.size() == 1 && !second.signs.empty()))
      return same_relation(first, second, a, b);
    if (is_empty_set(a) || is_empty_set(b)) return is_empty_set(a) && is_empty_set(b);
    if (is_set(a) || is_set(b) || left.size() > 1 || right.size() > 1) {
      const bool named = has_several_names(left);
      const bool other_named = has_several_names(right);
      if (named != other_named) return parts(named ? a : b, {"\\or"}).size() == 1 && same_in_order(left, right);
      if (named && (returns_to_a_name(left) || returns_to_a_name(right))) return same_in_order(left, right);
      return same_elements(left, right) || same_union(a, b) || same_union(b, a);
    }

    const std::vector<MathSpan> left_parts = parts(a, {"\\cup"});
    const std::vector<MathSpan> right_parts = parts(b, {"\\cup"});
    if (left_parts.size() > 1 || right_parts.size() > 1) return same_in_any_order(left_parts, right_parts);

    if (is_tuple(a) && is_tuple(b)) {
      return a.front() == b.front() && a.back() == b.back() && same_members(tuple_parts(a), tuple_parts(b));
    }
    if (is_matrix(a) && is_matrix(b)) return same_matrix(a, b);
    return same_expression(a, b);
  }

 private:
  template <class Part>
  bool same_in_order(const std::vector<Part>& a, const std::vector<Part>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [this](MathSpan x, MathSpan y) { return same(x, y); });
  }

  // Whether both or neither is a set. As elements of others, a set and its only element are not the same.
  static bool same_kind(MathSpan a, MathSpan b) {
    const auto is_any_set = [](MathSpan tokens) { return is_set(tokens) || is_empty_set(tokens); };
    a = unwrapped(a);
    b = unwrapped(b);
    return is_any_set(a) == is_any_set(b) || !Relation::of(a).signs.empty() || !Relation::of(b).signs.empty();
  }

  bool same_members(const std::vector<MathSpan>& a, const std::vector<MathSpan>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [this](MathSpan x, MathSpan y) { return same_kind(x, y) && same(x, y); });
  }

  // What the elements give values to, as in a = 3, b = 4; nothing where one of them does something else.
  static std::vector<std::string> names_of(const std::vector<MathTokens>& elements) {
    std::vector<std::string> names;
    for (const MathTokens& element : elements) {
      const Relation relation = Relation::of(element);
      if (relation.signs.size() != 1 || relation.signs[0] != "=" || !is_value_name(relation.sides[0])) return {};
      names.push_back(spelling(relation.sides[0]));
    }
    return names;
  }

  // Whether the elements say what each of several names is: a = 3, b = 4.
  static bool has_several_names(const std::vector<MathTokens>& elements) {
    const std::vector<std::string> names = names_of(elements);
    return std::adjacent_find(names.begin(), names.end(), std::not_equal_to<>()) != names.end();
  }

  // Whether a name comes again behind others, so that order tells which values belong together: a = 1, b = 2, a = 2, b = 1.
  static bool returns_to_a_name(const std::vector<MathTokens>& elements) {
    std::vector<std::string> names = names_of(elements);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) != names.end();
  }

  // Where both lists say what they count, each element must count what the other's does: 3 boys and 4 girls.
  bool same_elements(const std::vector<MathTokens>& a, const std::vector<MathTokens>& b) {
    const auto counts = [](const MathTokens& element) { return !CountedThings(element).none(); };
    const bool counted = std::any_of(a.begin(), a.end(), counts) && std::any_of(b.begin(), b.end(), counts);
    return same_in_any_order(a, b, counted);
  }

  template <class Part>
  bool same_in_any_order(const std::vector<Part>& a, std::vector<Part> b, bool counted = false) {
    if (a.size() != b.size()) return false;
    for (const Part& part : a) {
      const auto found = std::find_if(b.begin(), b.end(), [this, &part, counted](MathSpan other) {
        return (!counted || CountedThings(part) == CountedThings(other)) && same_kind(part, other) && same(part, other);
      });
      if (found == b.end()) return false;
      b.erase(found);
    }
    return true;
  }

  // x < 1 or x > 3 beside the union of intervals.
  bool same_union(MathSpan inequalities, MathSpan intervals) {
    std::vector<MathTokens> left;
    if (conjunction_of(algebra_, inequalities) != Conjunction::kOr) return false;
    for (const MathSpan inequality : parts(inequalities, {",", "\\or"})) {
      const std::optional<MathTokens> part = interval(Relation::of(inequality));
      if (!part) return false;
      left.push_back(*part);
    }
    std::vector<MathTokens> right;
    for (const MathSpan part : parts(intervals, {"\\cup"})) right.emplace_back(part.begin(), part.end());
    return left.size() > 1 && same_in_any_order(left, right);
  }

  // x > 1 and x < 3 beside an interval or 1 < x < 3.
  bool same_common(MathSpan inequalities, MathSpan other) {
    const std::optional<MathTokens> points = common_interval(inequalities);
    if (!points) return false;
    const std::optional<MathTokens> others = interval(Relation::of(other));
    return same(*points, others ? MathSpan(*others) : other);
  }

  // x = 1 and y = 2 for (x, y) = (1, 2). None for anything else.
  static std::optional<MathTokens> named_values(MathSpan tokens) {
    const Relation relation = Relation::of(tokens);
    if (relation.signs.size() != 1 || relation.signs[0] != "=" || !is_tuple(relation.sides[0]) || !is_tuple(relation.sides[1])) return {};
    const std::vector<MathSpan> names = tuple_parts(relation.sides[0]);
    const std::vector<MathSpan> values = tuple_parts(relation.sides[1]);
    if (names.size() != values.size() || !std::all_of(names.begin(), names.end(), is_name)) return std::nullopt;
    MathTokens named;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i > 0) named.emplace_back(",");
      named.insert(named.end(), names[i].begin(), names[i].end());
      named.emplace_back("=");
      named.insert(named.end(), values[i].begin(), values[i].end());
    }
    return named;
  }

  // What a relation says of its left side: 5 for x = 5, 5 = x, x \approx 5, 2 + 3 = 5, AB = BC = 5 and x = 2 + 3 = 5. None where it says
  // more.
  std::optional<MathSpan> told(const Relation& relation) {
    if (relation.signs.empty()) return std::nullopt;
    const bool named = is_value_name(relation.sides[0]);
    const bool one = relation.signs.size() == 1;
    if (one && named && relation.signs[0] == "=") return relation.sides[1];
    if (one && is_name(relation.sides[0]) && relation.signs[0] == "\\in") return relation.sides[1];
    if (std::any_of(relation.signs.begin(), relation.signs.end(), [](std::string_view sign) { return sign != "="; })) return std::nullopt;
    if (one && is_value_name(relation.sides[1])) return relation.sides[0];
    std::size_t names = 0;
    while (names + 1 < relation.sides.size() && is_value_name(relation.sides[names])) ++names;
    const auto is_line = [](MathSpan side) { return side.size() > 1; };
    if (!std::all_of(relation.sides.begin(), relation.sides.begin() + static_cast<std::ptrdiff_t>(names), is_line)) names = named ? 1 : 0;
    for (std::size_t i = names; i + 1 < relation.sides.size(); ++i) {
      if (!same(relation.sides[i], relation.sides.back())) return std::nullopt;
    }
    return relation.sides.back();
  }

  bool same_relation(const Relation& first, const Relation& second, MathSpan a, MathSpan b) {
    if (!first.signs.empty() && !second.signs.empty()) {
      return (first.signs == second.signs && same_in_order(first.sides, second.sides)) ||
             (first.mirrored().signs == second.signs && same_in_order(first.mirrored().sides, second.sides)) || same_range(first, second) ||
             same_range(second, first) || same_member(first, b) || same_member(second, a);
    }
    const Relation& relation = first.signs.empty() ? second : first;
    const MathSpan other = first.signs.empty() ? a : b;
    if (const auto value = told(relation)) return same(*value, other);
    const std::optional<MathTokens> points = interval(relation);
    return points && same(*points, other);
  }

  // x \in (1, 3] beside 1 < x <= 3.
  bool same_range(const Relation& member, const Relation& inequality) {
    if (member.signs.size() != 1 || member.signs[0] != "\\in") return false;
    const std::string name = spelling(member.sides[0]);
    const auto named = [&name](MathSpan side) { return spelling(side) == name; };
    if (std::none_of(inequality.sides.begin(), inequality.sides.end(), named)) return false;
    const std::optional<MathTokens> points = interval(inequality);
    return points && same(*points, member.sides[1]);
  }

  // x \in \{1, 2\} beside x = 1, 2 and x = 1 or x = 2.
  bool same_member(const Relation& member, MathSpan values) {
    if (member.signs.size() != 1 || member.signs[0] != "\\in" || !is_set(member.sides[1])) return false;
    const std::vector<MathSpan> elements = list_parts(values);
    const auto names = [&member](MathSpan element) {
      const Relation relation = Relation::of(element);
      return relation.signs.size() == 1 && relation.signs[0] == "=" && spelling(relation.sides[0]) == spelling(member.sides[0]);
    };
    return names(elements.front()) && same(member.sides[1], values) &&
           std::all_of(elements.begin(), elements.end(),
                       [&names](MathSpan element) { return names(element) || Relation::of(element).signs.empty(); });
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
                      [this](MathSpan x, MathSpan y) { return same_members(parts(x, {"&"}), parts(y, {"&"})); });
  }

  std::optional<MathExpression> read(MathSpan tokens) {
    try {
      const std::optional<SumUnit> whole = sum_unit(tokens);
      if (!whole) return math_expression(algebra_, tokens);
      MathExpression sum = math_expression(algebra_, whole->sum);
      sum.value = algebra_.product(sum.value, math_expression(algebra_, whole->unit).value);
      return sum;
    } catch (const Undecided&) {
      return std::nullopt;
    }
  }

  bool same_expression(MathSpan a, MathSpan b) {
    if (!CountedThings(a).may_be(CountedThings(b))) return false;
    const auto left = read(a);
    const auto right = read(b);
    if (!left && !right) return same_phrase(a, b);
    return left && right && same_value(left->value, right->value) && same_form(*left, *right);
  }

  // Units may be left out, but not be others.
  bool same_value(const MathValue& a, const MathValue& b) {
    const bool units = algebra_.has_units(a);
    if (units == algebra_.has_units(b)) return algebra_.equal(a, b);
    const std::optional<MathValue> number = algebra_.without_units(units ? a : b);
    return number && algebra_.equal(*number, units ? b : a);
  }

  // An expanded product is not its factors.
  bool same_form(const MathExpression& a, const MathExpression& b) {
    const auto is_number = [this](const MathValue& value) {
      const auto number = algebra_.without_units(value);
      return !number || algebra_.is_constant(*number);
    };
    return (a.terms == b.terms && a.factors == b.factors) || (is_number(a.value) && is_number(b.value));
  }

  // Words and unknown signs must be the same, in order, and what stands between them too.
  bool same_phrase(MathSpan a, MathSpan b) {
    std::vector<MathSpan> pieces[2];
    std::string words[2];
    for (const bool first : {true, false}) {
      const MathSpan tokens = first ? a : b;
      int depth = 0;
      std::size_t begin = 0;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        depth += bracket_step(tokens[i]);
        if (depth != 0 || is_expression_token(tokens[i])) continue;
        pieces[first].push_back(tokens.subspan(begin, i - begin));
        words[first] += spelling(tokens.subspan(i, 1)) + "|";
        begin = i + 1;
      }
      pieces[first].push_back(tokens.subspan(begin));
    }
    if (words[0].empty() || words[0] != words[1]) return false;
    return std::equal(pieces[0].begin(), pieces[0].end(), pieces[1].begin(), pieces[1].end(),
                      [this](MathSpan x, MathSpan y) { return (x.empty() && y.empty()) || same(x, y); });
  }

  Algebra algebra_;
};

}  // namespace

bool same_math_answer(std::string_view a, std::string_view b) {
  const auto left = math_tokens(a);
  const auto right = math_tokens(b);
  if (!left || !right || left->empty() || right->empty()) return false;
  if (spelling(*left) == spelling(*right)) return true;
  try {
    return Comparison().same(*left, *right);
  } catch (const Undecided&) {
    return false;
  }
}

bool is_math_answer(std::string_view text) {
  const auto tokens = math_tokens(text);
  return tokens && !tokens->empty();
}

}  // namespace paretofl
