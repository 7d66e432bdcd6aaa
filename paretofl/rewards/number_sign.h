#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "paretofl/rewards/exact_number.h"

namespace paretofl {

/// The sign that a number has from what stands before it.
enum class NumberSign : std::uint8_t {
  kPlus,
  kMinus,
  kUnclear  ///< +-5, -(-5), "is - 5": it may have either sign
};

/// The sign of the number that `before`, a text in one spelling, leads up to. Between a minus and its number may stand opening brackets,
/// marks of emphasis, currencies, LaTeX's spaces and the commands that set a number in another font: -(5), -\text{5}, -\$5, \text{-}5.
NumberSign sign_before(std::string_view before);

/// The sign of what a box of `text` holds; `box` is the part of `text` within its braces: -\boxed{5}.
NumberSign sign_before_box(std::string_view text, std::string_view box);

/// The number with its sign; none where the sign is unclear.
std::optional<ExactNumber> with_sign(const std::optional<ExactNumber>& number, NumberSign sign);

}  // namespace paretofl
