#pragma once

#include <optional>

#include "paretofl/mathematics/math_tokens.h"

namespace paretofl {

/// The condition of a set that is described by inequalities of a real number: x > 3 of \{x \mid x > 3\} and of
/// \{x \in \mathbb{R} : x > 3\}. None for any other set.
std::optional<MathTokens> described_range(MathSpan tokens);

}  // namespace paretofl
