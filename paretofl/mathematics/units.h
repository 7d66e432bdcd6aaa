#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// How the token of what is counted begins, whose name follows: apples are "#counted apple". In arithmetic each is the number 1.
constexpr std::string_view kCountedUnit = "#counted";

/// Whether a token is a unit.
inline bool is_unit_token(std::string_view token) { return token.size() > 1 && token[0] == '#'; }

inline bool is_counted(std::string_view token) { return token.starts_with(kCountedUnit); }

/// Whether a token is a unit whose sign stands before a number.
inline bool is_currency(std::string_view token) {
  return token == "#dollar" || token == "#euro" || token == "#pound" || token == "#yen" || token == "#rupee";
}

/// Whether tokens of what is counted may name the same things: apples and fruits are others, but ways may be anything.
bool same_thing(std::string_view a, std::string_view b);

/// The one token of a unit of measurement, a currency or a thing that school books count: meters, metre and m are "#meter".
/// None for any other word, which may change what a number says. Single letters are units only where they are upright, in
/// \text or \mathrm.
std::optional<std::string_view> unit_name(std::string_view word, bool upright);

/// Words that are units, as tokens: "miles per hour" is #mile / #hour, "square feet" is #foot ^ 2.
struct UnitPhrase {
  MathTokens tokens;
  std::size_t size = 0;  ///< bytes of the text that it takes
};

/// The longest such phrase that a text begins with; of no tokens where it begins with none.
UnitPhrase unit_phrase(std::string_view text, bool upright);

}  // namespace paretofl
