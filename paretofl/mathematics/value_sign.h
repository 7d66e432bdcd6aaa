#pragma once

#include "paretofl/mathematics/algebra.h"

namespace paretofl {

/// -1, 0 or 1, as a real constant is below, at or above 0. Certain: it is computed between bounds (interval arithmetic)
/// with more and more digits until they agree. Throws Undecided for what is no real constant, or so close to 0 that
/// many digits don't tell.
int sign_of(Algebra& algebra, const MathValue& value);

/// The largest whole number that is not above a real constant; certain in the same way.
mpz_class floor_of(Algebra& algebra, const MathValue& value);

}  // namespace paretofl
