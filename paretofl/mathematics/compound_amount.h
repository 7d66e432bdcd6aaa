#pragma once

#include <optional>

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// An amount in several units with "and" between them, 3 hours and 20 minutes, without these words; none for anything else. Every unit is
/// a part of the one before.
std::optional<MathTokens> joined_amount(MathSpan tokens);

}  // namespace paretofl
