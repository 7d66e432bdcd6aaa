#pragma once

#include <string_view>

namespace paretofl {

/// Whether two answers in LaTeX or plain text say the same. Equal are:
/// - what math_tokens spells alike, words of three letters and more in whatever case;
/// - expressions of one value (math_expression, Algebra), exactly; those with variables must have as many summands, or as
///   many sums for factors: an expanded product is not its factors;
/// - a number or sum with and without its unit, but not with another unit;
/// - lists and sets with the same elements in whatever order (3 \pm 1 is two elements), unions of the same parts; between values "and",
///   "or" and a comma are the same, between other statements they are not (conjunction); within sets \{1\} is not 1;
/// - tuples and intervals with the same brackets and elements, in order; matrices;
/// - equations and inequalities with the same sides, also read from the right; an equation with a name on its left (x = 5,
///   f(x) = 2x, P(X = 2) = 1/2, x \in [0, 1]; value_name) or with a value on all sides (2 + 3 = 5) and its right side alone; an inequality
///   of a name and the interval it describes;
/// - texts with the same unknown words and signs in the same order, and the same between them.
/// A day, 2024-01-05 or 12/25/2024, is no difference and no quotient. A subscript, such as a number's base, belongs to what it stands at:
/// 10_2 is neither 10 nor 2. What can't be settled exactly, or only with more work than an answer deserves, is unequal; so every pair of
/// texts is judged in a bounded time.
bool same_math_answer(std::string_view a, std::string_view b);

/// Whether a text is short and shallow enough to be compared.
bool is_math_answer(std::string_view text);

}  // namespace paretofl
