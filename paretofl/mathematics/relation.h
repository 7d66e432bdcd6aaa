#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// Sides and the signs between them, such as x, <, 5. What is no relation has one side.
struct Relation {
  std::vector<MathSpan> sides;
  std::vector<std::string_view> signs;

  static Relation of(MathSpan tokens);
  Relation mirrored() const;
};

/// Whether a left side only names the right one: x, x_1, f(x), AB, (x, y).
bool is_name(MathSpan tokens);

/// The interval, or union of two, that an inequality of a name with one or two bounds describes: (3, \infty) for x > 3.
/// None for anything else.
std::optional<MathTokens> interval(const Relation& relation);

/// The same of two inequalities with "and" between them, x > 1 and x < 3.
std::optional<MathTokens> common_interval(MathSpan tokens);

}  // namespace paretofl
