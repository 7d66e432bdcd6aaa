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

/// An answer in one spelling. Left out are spaces, \left and \right, the dollar signs around formulas, the braces of \text
/// and of single tokens (so that \frac{1}{2} = \frac12), a full stop at the end and a sign of equality at the beginning. \dfrac is
/// \frac, \cdot is *, 1 1/2 is 1\frac{1}{2}, "and" and "or" are the tokens \and and \or, 1,234 is 1234 (number_groups), 1.5E3 is
/// 1.5*10^{3}, and so on (token_rewriting).
/// Units, currencies, degrees and percent signs are tokens that begin with # (units). None for a text of more than 1000 bytes or with
/// brackets in more than 50 others, which no answer needs.
std::optional<MathTokens> math_tokens(std::string_view text);

/// Change of the depth of brackets at a token: 1 where one opens, -1 where one closes.
int bracket_step(std::string_view token);

}  // namespace paretofl
