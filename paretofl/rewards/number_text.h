#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "paretofl/rewards/exact_number.h"

namespace paretofl {

/// The numbers of a text in their order; none in place of a number that doesn't fit. Read are digits with a sign, a decimal
/// point and commas between groups of three digits (also {,} and ,\! as LaTeX has them), fractions (3/4, \frac{3}{4}) and
/// mixed numbers (1 3/4, 1\frac{3}{4}). A minus right before the number, or before its currency, is a sign unless a letter,
/// digit or closing bracket precedes it; a minus with a space behind it is one after =, { or ( and at the beginning.
/// Percent signs, currencies and units mean nothing. Digits within words (CO2), exponents and subscripts are no numbers.
std::vector<std::optional<ExactNumber>> numbers_of(std::string_view text);

}  // namespace paretofl
