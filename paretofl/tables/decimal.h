#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace paretofl {

/// A number as it is written, exactly: 0.DIGITS x 10^place. "1", "+1", "01", "1." and "1e0" are the same one.
struct Decimal {
  bool negative = false;
  std::string digits;      ///< without zeros at either end; empty: the number is 0, which is not negative
  std::int64_t place = 0;  ///< 0 for the number 0

  bool operator==(const Decimal&) const = default;
  std::strong_ordering operator<=>(const Decimal& other) const;  ///< the order of the numbers
};

/// The number that a text is: digits with a sign, a decimal point and an exponent. Exponents beyond 10^10 count as that.
std::optional<Decimal> decimal_of(std::string_view text);

}  // namespace paretofl
