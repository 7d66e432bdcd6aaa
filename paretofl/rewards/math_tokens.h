#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace paretofl {

/// An answer in LaTeX or plain text as tokens: commands, words of three letters or more, and single characters otherwise.
/// They point into the text or to constants.
using MathTokens = std::vector<std::string_view>;
using MathSpan = std::span<const std::string_view>;

/// How 45,135 is read outside of brackets: as one number, or as two. 1{,}000 and 1,\!000 are numbers always, and 1, 000 two.
enum class CommaReading { kThousands, kList };

/// An answer in one spelling. Left out are spaces, \left and \right, dollar and percent signs, degrees, the braces of
/// \text and of single tokens (so that \frac{1}{2} = \frac12), a full stop at the end, and units: \text behind a number, or
/// words, with their powers. \dfrac is \frac, \cdot is *, 1 1/2 is 1\frac{1}{2}, "and" and "or" are commas, and so on.
/// None for a text of more than 1000 bytes or with brackets in more than 50 others, which no answer needs.
std::optional<MathTokens> math_tokens(std::string_view text, CommaReading commas);

/// Change of the depth of brackets at a token: 1 where one opens, -1 where one closes.
int bracket_step(std::string_view token);

}  // namespace paretofl
