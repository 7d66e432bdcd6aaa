#pragma once

#include "paretofl/mathematics/algebra.h"

namespace paretofl {

/// Functions of angles in radians. At multiples of pi/12 and pi/10 their values are written in roots; elsewhere the sine
/// of a multiple of pi is that of one between 0 and pi/2, and sin(-x) = -sin x, cos(-x) = cos x.
MathValue sine(Algebra& algebra, const MathValue& angle);
MathValue cosine(Algebra& algebra, const MathValue& angle);

/// Principal values; those at the values above are multiples of pi.
MathValue arc_sine(Algebra& algebra, const MathValue& value);
MathValue arc_cosine(Algebra& algebra, const MathValue& value);
MathValue arc_tangent(Algebra& algebra, const MathValue& value);

}  // namespace paretofl
