#pragma once

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// Tokens with one notation for what several tokens together say:
/// - \land and \lor between relations are the words "and" and "or", x < 1 \lor x > 3; elsewhere they stay as they are;
/// - 101 base 2, 101 (base 2) and (101)_2 are 101_2;
/// - U between intervals is \cup, "to" between numbers is the colon of ratios, and (\pmod 7) is \pmod 7.
void rewrite_tokens(MathTokens& tokens);

}  // namespace paretofl
