#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/rewards/exact_number.h"

namespace paretofl {

/// A text and the numbers in it. Read are digits with a sign, a decimal point and separators between groups of three digits
/// (commas, also {,} and ,\! as LaTeX has them, and thin or no-break spaces), fractions (3/4, \frac{-3}{4}, ½), mixed numbers
/// (1 3/4, 1\frac{3}{4}), powers of ten (1e3, 1.5 \times 10^3). Digits may be full-width or of Arabic script. A minus (also the
/// typesetter's, and the dashes of its length) right before the number, its currency, brackets or font is a sign unless a letter, digit or
/// closing bracket precedes it; a minus with a space behind it is one after =, {, ( or $ and at the beginning, and unclear after a colon
/// or "is"; so is "negative", and "minus" where nothing is subtracted from (number_sign.h). Percent signs, currencies and units, million
/// among them, mean nothing (GSM8K's solutions say "$4 million" where the answer is 4). Digits within words (CO2), exponents and subscripts
/// of units are no numbers.
struct NumberText {
  struct Found {
    std::optional<ExactNumber> value;  ///< none for what is no number of its own: 2^3, 1,23, \pi, ±4, or what doesn't fit
    std::size_t begin;                 ///< in `text`
    std::size_t end;
  };

  explicit NumberText(std::string_view text);

  std::string text;  ///< in one spelling: ASCII digits, minus signs and fractions
  std::vector<Found> numbers;
  bool unknown_command = false;  ///< whether there is a LaTeX command that may change what a number means
};

}  // namespace paretofl
