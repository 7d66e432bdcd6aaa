#pragma once

#include "paretofl/mathematics/algebra.h"
#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// How the elements of a list belong together.
enum class Conjunction {
  kAny,     ///< values, which "and", "or" and a comma list alike: 2 and 3, x = 2 or x = 3
  kAnd,     ///< all of them hold
  kOr,      ///< one of them holds
  kUnclear  ///< the text does not tell
};

/// The conjunction of a list's elements. A comma says nothing between values. Between ranges of one name it is "or" where they have
/// no common point, x < 1, x > 3, and "and" where they have some, x > 1, x < 3; between other statements it is "and".
Conjunction conjunction_of(Algebra& algebra, MathSpan list);

/// Whether the words and signs between the elements of two lists may say the same.
bool may_join_alike(Algebra& algebra, MathSpan a, MathSpan b);

}  // namespace paretofl
