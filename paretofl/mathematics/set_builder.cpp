#include "paretofl/mathematics/set_builder.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/mathematics/answer_parts.h"
#include "paretofl/mathematics/relation.h"

namespace paretofl {
namespace {

// The real numbers, as math_tokens spells them.
constexpr std::array<std::string_view, 6> kReals{"(", "-", "\\infty", ",", "\\infty", ")"};

// x of x and of x \in \mathbb{R}; none where more is said.
std::optional<MathSpan> described_name(MathSpan tokens) {
  const Relation relation = Relation::of(tokens);
  const MathSpan name = relation.sides.front();
  if (!is_name(name) || is_tuple(name)) return std::nullopt;
  if (relation.signs.empty()) return name;
  const bool real = relation.signs.size() == 1 && relation.signs[0] == "\\in" && std::ranges::equal(relation.sides[1], kReals);
  return real ? std::optional(name) : std::nullopt;
}

// Whether inequalities are of that name. A comma is "or", unless it stands between a lower and an upper bound, x > 1, x < 3,
// where it may be "and".
bool are_of(MathSpan inequalities, MathSpan name) {
  const bool commas = parts(inequalities, {","}).size() > 1;
  bool bounded_below = false;
  for (const MathSpan inequality : parts(inequalities, {",", "\\or"})) {
    if (bounded_below && commas) return false;
    for (const MathSpan one : parts(inequality, {"\\and"})) {
      const Relation relation = Relation::of(one);
      const auto points = interval(relation);
      const auto is_named = [name](MathSpan side) { return spelling(side) == spelling(name); };
      if (!points || std::none_of(relation.sides.begin(), relation.sides.end(), is_named)) return false;
      bounded_below = (*points)[1] != "-" || (*points)[2] != "\\infty";
    }
  }
  return true;
}

}  // namespace

std::optional<MathTokens> described_range(MathSpan tokens) {
  if (!is_set(tokens)) return std::nullopt;
  const MathSpan content = inside(tokens);
  for (const std::string_view sign : {"\\mid", ":", "|"}) {
    const std::vector<MathSpan> sides = parts(content, {sign});
    if (sides.size() != 2) continue;
    const std::optional<MathSpan> name = described_name(sides[0]);
    if (!name || !are_of(sides[1], *name)) return std::nullopt;
    return MathTokens(sides[1].begin(), sides[1].end());
  }
  return std::nullopt;
}

}  // namespace paretofl
