#pragma once

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// Whether what stands before a sign of equality only names the value behind it: what is_name knows, and
/// - functions of numbers and of several names: f(10), f'(2), f(f(2)), f(x,y), P(2,3);
/// - probabilities and expected values: P(X=2), P(A \mid B), E[X];
/// - sines and other functions of an angle, \sin\theta; derivatives, y' and \frac{dy}{dx};
/// - names with an accent, \overline{AB}, \vec{v}; sizes of sets, segments, vectors and complex numbers, |AB|, |z|; areas, [ABC];
/// - several words, "Total cost".
/// An equation, such as m + n = 17, x(x+1) = 6, |x| = 5 or f(x+1) = 7, names no value.
bool is_value_name(MathSpan tokens);

}  // namespace paretofl
