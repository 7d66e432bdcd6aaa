#include "paretofl/tables/decimal.h"

#include <algorithm>
#include <charconv>

namespace paretofl {
namespace {

constexpr std::int64_t kLargestExponent = 10'000'000'000;  // sums with a number of digits are far from overflow

/// Takes a sign from the beginning; whether it was a minus.
bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

bool all_digits(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

/// The exponent that follows an e.
std::optional<std::int64_t> exponent_of(std::string_view text) {
  const bool negative = take_sign(text);
  if (text.empty() || !all_digits(text)) return std::nullopt;
  std::int64_t exponent = 0;
  const auto status = std::from_chars(text.data(), text.data() + text.size(), exponent).ec;
  if (status != std::errc() || exponent > kLargestExponent) exponent = kLargestExponent;
  return negative ? -exponent : exponent;
}

}  // namespace

std::strong_ordering Decimal::operator<=>(const Decimal& other) const {
  if (negative != other.negative) return negative ? std::strong_ordering::less : std::strong_ordering::greater;
  const Decimal& low = negative ? other : *this;
  const Decimal& high = negative ? *this : other;
  if (low.digits.empty() != high.digits.empty()) return high.digits.empty() <=> low.digits.empty();
  if (low.place != high.place) return low.place <=> high.place;
  return low.digits <=> high.digits;
}

std::optional<Decimal> decimal_of(std::string_view text) {
  Decimal result;
  result.negative = take_sign(text);
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  if (e < text.size()) {
    const auto exponent = exponent_of(text.substr(e + 1));
    if (!exponent) return std::nullopt;
    result.place = *exponent;
  }
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::string_view fraction = mantissa.substr(std::min(point + 1, mantissa.size()));
  if (point + fraction.size() == 0 || !all_digits(mantissa.substr(0, point)) || !all_digits(fraction)) return std::nullopt;
  result.digits = mantissa.substr(0, point);
  result.digits += fraction;
  result.place += static_cast<std::int64_t>(point);
  const std::size_t zeros = std::min(result.digits.find_first_not_of('0'), result.digits.size());
  result.digits.erase(0, zeros);
  result.place -= static_cast<std::int64_t>(zeros);
  if (result.digits.empty()) return Decimal{.digits = ""};
  result.digits.erase(result.digits.find_last_not_of('0') + 1);
  return result;
}

}  // namespace paretofl
