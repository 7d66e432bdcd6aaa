#pragma once

#include "paretofl/mathematics/algebra.h"
#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// What an expression is worth, and how it is written.
struct MathExpression {
  MathValue value;
  int terms = 1;    ///< summands, as in 2x + 3
  int factors = 0;  ///< sums among the factors of one summand, as in 2 (x + 1)(x + 2)
};

/// Reads an expression: numbers, mixed numbers, repeating decimals, variables, units, + - * /, fractions, powers, roots,
/// factorials, binomials, functions, absolute values and brackets. Throws Undecided for anything else.
MathExpression math_expression(Algebra& algebra, MathSpan tokens);

/// Whether a token can stand in an expression; any other parts what stands on its two sides.
bool is_expression_token(std::string_view token);

}  // namespace paretofl
