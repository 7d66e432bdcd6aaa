#pragma once

#include "paretofl/mathematics/algebra.h"

namespace paretofl {

/// base^exponent. Principal values, but the real root where the root of a negative number is odd: (-8)^(1/3) = -2. The
/// roots of rational numbers are those of primes, sqrt(a + b sqrt(c)) is a sum of two roots where it is one, and
/// sqrt(x^2) is not x.
MathValue power(Algebra& algebra, const MathValue& base, const MathValue& exponent);

/// The n-th root, n > 0.
MathValue root(Algebra& algebra, const MathValue& base, unsigned n);

/// e^exponent; exp(a + b) = exp(a) exp(b), exp(q ln x) = x^q, exp(i x) = cos x + i sin x.
MathValue exponential(Algebra& algebra, const MathValue& exponent);

/// The natural logarithm; ln(ab) = ln a + ln b where all but one factor are positive.
MathValue logarithm(Algebra& algebra, const MathValue& argument);

}  // namespace paretofl
