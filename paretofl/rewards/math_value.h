#pragma once

#include <complex>
#include <optional>

#include "paretofl/rewards/exact_number.h"
#include "paretofl/rewards/math_tokens.h"

namespace paretofl {

/// What an expression is worth, and how it is written.
struct MathValue {
  std::optional<ExactNumber> exact;  ///< where it is rational
  std::complex<double> number;       ///< finite
  int terms = 1;                     ///< summands, as in 2x + 3
  int factors = 0;                   ///< sums among the factors of one summand, as in 2 (x + 1)(x + 2)
};

/// The value of an expression of numbers, mixed numbers, pi, i, fractions, roots, powers, + - * / and parentheses; rational
/// ones are exact. None for anything else, for numbers that don't fit and where nothing finite comes out.
std::optional<MathValue> math_value(MathSpan tokens);

/// The same of an expression with variables, at one of any number of points with coordinates between 1 and 2.
std::optional<MathValue> math_value_at(MathSpan tokens, unsigned point);

/// Rational numbers are equal if they are, others if they differ by no more than 1e-9 of the larger one.
bool same_value(const MathValue& a, const MathValue& b);

}  // namespace paretofl
