#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// The parts between separators outside of brackets.
std::vector<MathSpan> parts(MathSpan tokens, std::initializer_list<std::string_view> separators);

/// The parts between commas, semicolons, "and" and "or".
std::vector<MathSpan> list_parts(MathSpan tokens);

/// Whether one pair of brackets, opened by `open`, encloses everything, and what it encloses.
bool is_enclosed(MathSpan tokens, std::string_view open);
MathSpan inside(MathSpan tokens);

bool is_set(MathSpan tokens);
/// Several elements, with commas or semicolons between them, in round, square or angle brackets; an interval is one too.
bool is_tuple(MathSpan tokens);
std::vector<MathSpan> tuple_parts(MathSpan tokens);
bool is_matrix(MathSpan tokens);
bool is_empty_set(MathSpan tokens);

/// Without what encloses all of it and says nothing.
MathSpan unwrapped(MathSpan tokens);

/// The elements of a list or set; of one with +- or -+ the one with + and the one with -.
std::vector<MathTokens> elements(MathSpan tokens);

/// Tokens as one text that is the same for the same spelling. Signs of degrees are left out, and words of three letters and
/// more are in whatever case; those in capitals, which may be products, only where everything is words.
std::string spelling(MathSpan tokens);

}  // namespace paretofl
