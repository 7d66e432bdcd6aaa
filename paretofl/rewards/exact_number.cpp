#include "paretofl/rewards/exact_number.h"

#include <limits>
#include <numeric>

namespace paretofl {
namespace {

__extension__ using Wide = __int128;  // holds any sum of two products of 64 bits

constexpr Wide kLargest = std::numeric_limits<std::int64_t>::max();

std::optional<ExactNumber> reduced(Wide numerator, Wide denominator) {
  if (denominator == 0) return std::nullopt;
  const bool negative = (numerator < 0) != (denominator < 0);
  Wide above = numerator < 0 ? -numerator : numerator;
  Wide below = denominator < 0 ? -denominator : denominator;
  Wide divisor = below;
  for (Wide rest = above; rest != 0;) {
    const Wide next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  above /= divisor;
  below /= divisor;
  if (above > kLargest || below > kLargest) return std::nullopt;
  return ExactNumber::ratio(static_cast<std::int64_t>(negative ? -above : above), static_cast<std::int64_t>(below));
}

}  // namespace

std::optional<ExactNumber> ExactNumber::ratio(std::int64_t numerator, std::int64_t denominator) {
  constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
  if (denominator == 0 || numerator == kSmallest || denominator == kSmallest) return std::nullopt;
  const std::int64_t divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
  ExactNumber number(numerator / divisor);
  number.denominator_ = denominator / divisor;
  return number;
}

std::optional<ExactNumber> ExactNumber::decimal(std::string_view text) {
  if (text.find('.') != std::string_view::npos) {
    while (text.size() > 2 && text.ends_with('0')) text.remove_suffix(1);
  }
  Wide digits = 0;
  Wide scale = 1;
  bool point = false;
  std::size_t count = 0;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9' && digits <= kLargest && scale <= kLargest) {
      digits = 10 * digits + (c - '0');
      if (point) scale *= 10;
      ++count;
    } else {
      return std::nullopt;
    }
  }
  return count == 0 ? std::nullopt : reduced(digits, scale);
}

std::optional<ExactNumber> sum(const ExactNumber& a, const ExactNumber& b) {
  return reduced(Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_, Wide{a.denominator_} * b.denominator_);
}

std::optional<ExactNumber> product(const ExactNumber& a, const ExactNumber& b) {
  return reduced(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_);
}

std::optional<ExactNumber> quotient(const ExactNumber& a, const ExactNumber& b) {
  return reduced(Wide{a.numerator_} * b.denominator_, Wide{a.denominator_} * b.numerator_);
}

}  // namespace paretofl
