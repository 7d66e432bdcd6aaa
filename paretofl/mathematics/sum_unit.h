#pragma once

#include <optional>

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// A sum and the unit of all of it: 30 + 10 \sqrt 3 and feet, 12 - \pi and square inches, $ and 3 + \pi.
struct SumUnit {
  MathSpan sum;
  MathTokens unit;  ///< as an expression: 1 foot, 1 / second
};

/// The unit at the end of a sum, or its currency at the beginning, where nothing else in it has a unit. None for percent and degrees,
/// for things that are counted, and where a word such as million stands before the unit, which then belongs to the last summand.
std::optional<SumUnit> sum_unit(MathSpan tokens);

}  // namespace paretofl
