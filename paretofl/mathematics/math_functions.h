#pragma once

#include <string_view>
#include <vector>

#include "paretofl/mathematics/algebra.h"

namespace paretofl {

/// The value of a function with a command for its name, such as \sin or \gcd; angles may be in degrees. Throws Undecided
/// for a wrong number of arguments.
MathValue math_function(Algebra& algebra, std::string_view command, const std::vector<MathValue>& arguments);

/// The inverse, \sin^{-1} being \arcsin.
MathValue inverse_function(Algebra& algebra, std::string_view command, const MathValue& argument);

/// The logarithm to a base.
MathValue logarithm_to(Algebra& algebra, const MathValue& base, const MathValue& argument);

MathValue absolute_value(Algebra& algebra, const MathValue& value);
/// The largest whole number that isn't above a value, and the smallest that isn't below it.
MathValue floor_value(Algebra& algebra, const MathValue& value);
MathValue ceiling_value(Algebra& algebra, const MathValue& value);
/// n (n - step) (n - 2 step) ..., with step 1 for n! and 2 for n!!.
MathValue factorial(Algebra& algebra, const MathValue& n, unsigned step);
MathValue binomial(Algebra& algebra, const MathValue& n, const MathValue& k);

}  // namespace paretofl
